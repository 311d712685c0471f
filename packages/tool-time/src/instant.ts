import { Temporal } from 'temporal-polyfill';
import { momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { zoneFor } from './zone.ts';

/** The moment of a number of milliseconds since 1970, in the zone of a call. */
export function momentAt(ms: number, named: string | undefined, chosen: string): Moment {
  return momentOf(inZone(ms, zoneFor(named, chosen)));
}

/** The same as a time that can be reckoned with. */
export function inZone(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

import { Temporal } from 'temporal-polyfill';
import { momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { zoneFor } from './zone.ts';

/** Converts milliseconds since 1970 to a moment in the zone of a call. */
export function momentAt(ms: number, named: string | undefined, chosen: string): Moment {
  return momentOf(inZone(ms, zoneFor(named, chosen)));
}

/** Converts milliseconds since 1970 to a zoned date-time. */
export function inZone(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

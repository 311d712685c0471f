import { Temporal } from 'temporal-polyfill';
import { lineOf, momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { zoneFor } from './zone.ts';

/** Where a time is, and where it is to be told. */
export interface Conversion {
  readonly from: string | undefined;
  readonly to: string;
  /** The zone that the user has chosen; empty for the machine's. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A time here and elsewhere. */
export type Converted = { readonly from: Moment; readonly to: Moment; readonly text: string; readonly note?: string };

/** What a time in one zone is in another. */
export function convert(time: string, { from, to, home, now }: Conversion): Converted {
  const zone = zoneFor(from, home);
  const local = plainTime(time, Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone));
  const there = local.toZonedDateTime(zone);
  const result = there.withTimeZone(zoneFor(to, ''));
  const note = noteOf(local, zone);
  return { from: momentOf(there), to: momentOf(result), text: lineOf(result), ...(note !== undefined && { note }) };
}

function plainTime(text: string, today: Temporal.ZonedDateTime): Temporal.PlainDateTime {
  const written = text
    .trim()
    .replace(/^(\d):/, '0$1:')
    .replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T');
  try {
    return /^\d{2}:/.test(written)
      ? today.toPlainDate().toPlainDateTime(Temporal.PlainTime.from(written))
      : Temporal.PlainDateTime.from(written);
  } catch {
    throw new Error(`"${text}" is no time. Write it as "14:30", "2026-03-01T14:30" or "2026-03-01", without a zone.`);
  }
}

/** What the clocks did at that hour, where they were put back or forward. */
function noteOf(local: Temporal.PlainDateTime, zone: string): string | undefined {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return undefined;
  const isSkipped = !earlier.toPlainDateTime().equals(local);
  return isSkipped
    ? `There was no ${local.toPlainTime().toString()} in ${zone} that day: the clocks went forward.`
    : `${local.toPlainTime().toString()} came twice in ${zone} that day: this is the first one, the second is ${lineOf(later)}.`;
}

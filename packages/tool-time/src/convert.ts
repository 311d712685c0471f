import { Temporal } from 'temporal-polyfill';
import { lineOf, momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { zoneFor } from './zone.ts';

/** Source and target zones of a conversion. */
export interface Conversion {
  readonly from: string | undefined;
  readonly to: string;
  /** Zone chosen by the user; empty for the machine's. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A time in both zones. */
export type Converted = { readonly from: Moment; readonly to: Moment; readonly text: string; readonly note?: string };

/** Converts a time from one zone to another. */
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
    throw new Error(
      `"${text}" is not a time. Write it as "14:30", "2026-03-01T14:30" or "2026-03-01", without a zone.`,
    );
  }
}

/** Note for a time skipped or repeated by a clock change. */
function noteOf(local: Temporal.PlainDateTime, zone: string): string | undefined {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return undefined;
  const isSkipped = !earlier.toPlainDateTime().equals(local);
  return isSkipped
    ? `${local.toPlainTime().toString()} did not exist in ${zone} that day: the clocks went forward.`
    : `${local.toPlainTime().toString()} occurred twice in ${zone} that day: this is the first one, the second is ${lineOf(later)}.`;
}

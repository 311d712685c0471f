import { defineTool } from '@utensil/core';
import { Temporal } from 'temporal-polyfill';
import * as z from 'zod/mini';
import { lineOf, momentOf } from './moment.ts';
import { timezoneOption, zoneFor } from './options.ts';

/** Tells what a time in one zone is in another. */
export const convertTimeTool = /* @__PURE__ */ defineTool({
  name: 'convert_time',
  title: 'Convert time',
  description:
    'Tells what a time in one time zone is in another, daylight saving time included. Without a date it is today there.',
  input: z.toJSONSchema(
    z.object({
      time: z.string().check(z.minLength(1), z.describe('"14:30", "2026-03-01T14:30" or "2026-03-01".')),
      from: z.optional(z.string().check(z.describe('Such as "Europe/Rome". Default: where the user is.'))),
      to: z.string().check(z.minLength(1), z.describe('Such as "Asia/Tokyo" or "+09:00".')),
    }),
  ),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'The time elsewhere', icon: '🌍', category: 'time' },
  effects: 'read',
  execute: ({ time, from, to }, options, { now }) => {
    const zone = zoneFor(from, options.timezone);
    const local = plainTime(time, Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone));
    const there = local.toZonedDateTime(zone);
    const result = there.withTimeZone(zoneFor(to, ''));
    const note = noteOf(local, zone);
    return { from: momentOf(there), to: momentOf(result), text: lineOf(result), ...(note !== undefined && { note }) };
  },
  formerNames: ['convertTimeBetweenTimezones'],
});

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

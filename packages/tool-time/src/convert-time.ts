import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { timezoneOption } from './options.ts';

/** Converts a time from one zone to another. */
export const convertTimeTool = /* @__PURE__ */ defineTool({
  name: 'convert_time',
  title: 'Convert time',
  description:
    'Converts a time from one time zone to another, including daylight saving time. A time without a date is today in its zone.',
  input: z.toJSONSchema(
    z.object({
      time: z.string().check(z.minLength(1), z.describe('"14:30", "2026-03-01T14:30" or "2026-03-01".')),
      from: z.optional(z.string().check(z.describe('For example "Europe/Rome". Default: the time zone of the user.'))),
      to: z.string().check(z.minLength(1), z.describe('For example "Asia/Tokyo" or "+09:00".')),
    }),
  ),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'Converts times between zones', icon: '🌍', category: 'time' },
  effects: 'read',
  execute: async ({ time, from, to }, options, { now }) => {
    const { convert } = await import('./convert.ts');
    return convert(time, { from, to, home: options.timezone, now: now() });
  },
  formerNames: ['convertTimeBetweenTimezones'],
});

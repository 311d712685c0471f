import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { timezoneOption } from './options.ts';

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
  execute: async ({ time, from, to }, options, { now }) => {
    const { convert } = await import('./convert.ts');
    return convert(time, { from, to, home: options.timezone, now: now() });
  },
  formerNames: ['convertTimeBetweenTimezones'],
});

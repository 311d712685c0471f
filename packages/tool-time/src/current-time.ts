import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { timezoneField, timezoneOption } from './options.ts';

/** Returns the current time. */
export const currentTimeTool = /* @__PURE__ */ defineTool({
  name: 'get_current_time',
  title: 'Current time',
  description:
    "Returns the current date and time, with weekday, week and offset. Use it whenever an answer depends on today's date.",
  input: z.toJSONSchema(z.object({ timezone: timezoneField })),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'Returns the current time', icon: '🕒', category: 'time' },
  effects: 'read',
  execute: async ({ timezone }, options, { now }) => {
    const { momentAt } = await import('./instant.ts');
    return momentAt(now(), timezone, options.timezone);
  },
  formerNames: ['getCurrentTime'],
});

/** Converts a Unix timestamp. */
export const timeByEpochTool = /* @__PURE__ */ defineTool({
  name: 'get_time_by_epoch',
  title: 'Convert a timestamp',
  description: 'Returns the date and time of a Unix timestamp, in seconds or milliseconds since 1970.',
  input: z.toJSONSchema(
    z.object({
      epoch: z.number().check(z.describe('Numbers up to 100,000,000,000 are seconds, larger ones milliseconds.')),
      timezone: timezoneField,
    }),
  ),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'Converts timestamps to dates', icon: '🕒', category: 'time' },
  effects: 'read',
  execute: async ({ epoch, timezone }, options) => {
    const ms = Math.abs(epoch) <= 100_000_000_000 ? epoch * 1000 : epoch;
    if (Math.abs(ms) > 8.64e15) throw new Error(`${epoch} is out of the range of dates.`);
    const { momentAt } = await import('./instant.ts');
    return momentAt(Math.trunc(ms), timezone, options.timezone);
  },
  formerNames: ['getTimeInfoByEpoch'],
});

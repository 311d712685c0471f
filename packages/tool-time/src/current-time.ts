import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { timezoneField, timezoneOption } from './options.ts';

/** Tells what time it is. */
export const currentTimeTool = /* @__PURE__ */ defineTool({
  name: 'get_current_time',
  title: 'Current time',
  description:
    'Tells the date and time now, with weekday, week and offset. Use it whenever an answer depends on today.',
  input: z.toJSONSchema(z.object({ timezone: timezoneField })),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'What time it is', icon: '🕒', category: 'time' },
  effects: 'read',
  execute: async ({ timezone }, options, { now }) => {
    const { momentAt } = await import('./instant.ts');
    return momentAt(now(), timezone, options.timezone);
  },
  formerNames: ['getCurrentTime'],
});

/** A moment that is given as a number. */
export const timeByEpochTool = /* @__PURE__ */ defineTool({
  name: 'get_time_by_epoch',
  title: 'Time of a number',
  description: 'Tells the date and time of a Unix timestamp, in seconds or milliseconds since 1970.',
  input: z.toJSONSchema(
    z.object({
      epoch: z.number().check(z.describe('Up to 100,000,000,000 it is seconds, beyond it milliseconds.')),
      timezone: timezoneField,
    }),
  ),
  options: { timezone: timezoneOption },
  ui: { subtitle: 'The date of a timestamp', icon: '🕒', category: 'time' },
  effects: 'read',
  execute: async ({ epoch, timezone }, options) => {
    const ms = Math.abs(epoch) <= 100_000_000_000 ? epoch * 1000 : epoch;
    if (Math.abs(ms) > 8.64e15) throw new Error(`${epoch} is no moment: it is out of the range of dates.`);
    const { momentAt } = await import('./instant.ts');
    return momentAt(Math.trunc(ms), timezone, options.timezone);
  },
  formerNames: ['getTimeInfoByEpoch'],
});

import { defineTool, option } from '@utensil/core';
import * as z from 'zod/mini';
import { timezoneField, timezoneOption } from './options.ts';

/** Converts an English expression to a range of time. */
export const timeRangeTool = /* @__PURE__ */ defineTool({
  name: 'get_time_range',
  title: 'Time range',
  description:
    'Returns the start and end of a range of time given in words: "last week", "past 3 days", "two months ago", "next friday", "March 2025", "Q1 2026", "week to date", "since monday", "from 2026-01-01 to today".',
  input: z.toJSONSchema(
    z.object({
      range: z.string().check(z.minLength(1), z.describe('In English, or as an ISO date, month, week or year.')),
      timezone: timezoneField,
    }),
  ),
  options: {
    timezone: timezoneOption,
    weekStart: option.select({
      label: 'Weeks begin on',
      description: 'First day of the week, for example in "this week".',
      default: 'monday',
      choices: [
        { value: 'monday', label: 'Monday' },
        { value: 'saturday', label: 'Saturday' },
        { value: 'sunday', label: 'Sunday' },
      ],
    }),
  },
  ui: { subtitle: 'Finds ranges of time, such as “last week”', icon: '📅', category: 'time' },
  effects: 'read',
  execute: async ({ range, timezone }, options, { now }) => {
    const { rangeOutput } = await import('./range-output.ts');
    const weekStart = { monday: 1, saturday: 6, sunday: 7 }[options.weekStart] ?? 1;
    return rangeOutput(range, { now: now(), named: timezone, chosen: options.timezone, weekStart });
  },
  formerNames: ['getTimeRangeMs'],
});

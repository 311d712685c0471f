import type { Temporal } from 'temporal-polyfill';

/** A moment as the tools give it. */
export type Moment = {
  /** With offset: `2026-03-01T14:00:00+01:00`. */
  readonly iso: string;
  readonly epochMs: number;
  readonly timezone: string;
  readonly utcOffset: string;
  readonly weekday: string;
  /** Of the year, by ISO 8601: `2026-W09`. */
  readonly week: string;
  /** From 1. */
  readonly dayOfYear: number;
};

/** A moment with what models get wrong when they reckon it themselves: weekday, week and offset. */
export function momentOf(time: Temporal.ZonedDateTime): Moment {
  return {
    iso: isoOf(time),
    epochMs: time.epochMilliseconds,
    timezone: time.timeZoneId,
    utcOffset: time.offset,
    weekday: weekdayOf(time),
    week: `${time.yearOfWeek}-W${String(time.weekOfYear).padStart(2, '0')}`,
    dayOfYear: time.dayOfYear,
  };
}

/** With its offset, and without fractions of a second where there are none. */
export function isoOf(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never' });
}

/** The English name of the day. */
function weekdayOf(time: Temporal.ZonedDateTime): string {
  return weekdays[time.dayOfWeek - 1] ?? '';
}

/** From Monday, as ISO 8601 counts. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** One line about a moment: `Sunday 2026-03-01T14:00:00+01:00`. */
export function lineOf(time: Temporal.ZonedDateTime): string {
  return `${weekdayOf(time)} ${isoOf(time)}`;
}

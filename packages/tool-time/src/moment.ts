import type { Temporal } from 'temporal-polyfill';

/** A moment as the tools return it. */
export type Moment = {
  /** With offset: `2026-03-01T14:00:00+01:00`. */
  readonly iso: string;
  readonly epochMs: number;
  readonly timezone: string;
  readonly utcOffset: string;
  readonly weekday: string;
  /** ISO 8601 week: `2026-W09`. */
  readonly week: string;
  /** From 1. */
  readonly dayOfYear: number;
};

/** A moment with the facts that models often compute wrongly: weekday, week and offset. */
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

/** ISO text with the offset, without empty fractions of a second. */
export function isoOf(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never' });
}

/** English weekday. */
function weekdayOf(time: Temporal.ZonedDateTime): string {
  return weekdays[time.dayOfWeek - 1] ?? '';
}

/** From Monday, as in ISO 8601. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A moment on one line: `Sunday 2026-03-01T14:00:00+01:00`. */
export function lineOf(time: Temporal.ZonedDateTime): string {
  return `${weekdayOf(time)} ${isoOf(time)}`;
}

import { Temporal } from 'temporal-polyfill';
import { weekdays } from './moment.ts';

type Time = Temporal.ZonedDateTime;

/** A range from an inclusive start to an exclusive end. */
export interface TimeRange {
  readonly start: Time;
  readonly end: Time;
}

/** Reference point of relative expressions. */
export interface RangeContext {
  readonly now: Time;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekStart: number;
}

const units = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof units)[number];

const unitPattern = `(${units.join('|')}|weekend)s?`;
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const countPattern = `(\\d{1,4}|${numbers.slice(1).join('|')}|an?)`;

/** A rule: a pattern and its interpretation. */
type Rule = readonly [pattern: RegExp, read: (found: readonly string[], context: RangeContext) => TimeRange];

/** From the most specific rule to the most general; the first match wins. */
const rules: readonly Rule[] = [
  [/^(?:right )?now$/, (_, { now }) => whole('minute', now)],
  [/^(?:the )?day before yesterday$/, (_, { now }) => whole('day', now.subtract({ days: 2 }))],
  [/^(?:the )?day after tomorrow$/, (_, { now }) => whole('day', now.add({ days: 2 }))],
  [/^today|tonight$/, (_, { now }) => whole('day', now)],
  [/^yesterday$/, (_, { now }) => whole('day', now.subtract({ days: 1 }))],
  [/^tomorrow$/, (_, { now }) => whole('day', now.add({ days: 1 }))],
  [
    new RegExp(`^(${units.slice(2).join('|')}) to date$`),
    ([unit], context) => ({ start: begin(unit as Unit, context.now, context), end: context.now }),
  ],
  [new RegExp(`^(?:this|current) ${unitPattern}$`), ([unit], context) => aside(unit, 0, context)],
  [new RegExp(`^(?:last|previous) ${unitPattern}$`), ([unit], context) => aside(unit, -1, context)],
  [new RegExp(`^(?:next|coming|following) ${unitPattern}$`), ([unit], context) => aside(unit, 1, context)],
  [new RegExp(`^past ${unitPattern}$`), ([unit], { now }) => ({ start: shift(now, unit, -1), end: now })],
  [
    new RegExp(`^(?:last|past|previous) ${countPattern} ${unitPattern}$`),
    ([count, unit], { now }) => ({ start: shift(now, unit, -countOf(count)), end: now }),
  ],
  [
    new RegExp(`^(?:next|coming|following) ${countPattern} ${unitPattern}$`),
    ([count, unit], { now }) => ({ start: now, end: shift(now, unit, countOf(count)) }),
  ],
  [
    new RegExp(`^${countPattern} ${unitPattern} ago$`),
    ([count, unit], context) => aside(unit, -countOf(count), context),
  ],
  [new RegExp(`^in ${countPattern} ${unitPattern}$`), ([count, unit], context) => aside(unit, countOf(count), context)],
  [
    new RegExp(`^(?:(this|last|previous|next|coming) )?(${weekdays.join('|').toLowerCase()})$`),
    ([which = '', day = ''], { now }) => whole('day', dayNear(now, day, which)),
  ],
  [
    new RegExp(`^(?:(last|previous|next|this) )?(${months.join('|')})(?: (\\d{4}))?$`),
    ([which = '', month = '', year], { now }) => whole('month', monthNear(now, { month, which, year })),
  ],
  [/^q([1-4])(?: (\d{4}))?$/, ([quarter, year], { now }) => quarterOf(now, Number(quarter), year)],
  [/^(\d{4})[- ]?q([1-4])$/, ([year, quarter], { now }) => quarterOf(now, Number(quarter), year)],
  [/^(\d{4})-?w([0-5]\d)$/, ([year, week], { now }) => isoWeek(now, Number(year), Number(week))],
  [/^(\d{4})$/, ([year], { now }) => whole('year', dateIn(now, [Number(year)]))],
  [/^(\d{4})-(\d{2})$/, ([year, month], { now }) => whole('month', dateIn(now, [Number(year), Number(month)]))],
  [
    /^(\d{4})-(\d{2})-(\d{2})$/,
    ([year, month, day], { now }) => whole('day', dateIn(now, [Number(year), Number(month), Number(day)])),
  ],
];

/**
 * Parses an English expression for a range of time: `last week`, `past 3 days`, `two months ago`, `next friday`, `March
 * 2025`, `Q1 2026`, `2026-W09`, `week to date`, `since Monday`, `from 2026-01-01 to today`. Calendar units start at
 * midnight in the zone, whatever the clocks did; the end is exclusive.
 */
export function rangeOf(text: string, context: RangeContext): TimeRange {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:in )?the /, '');
  const between = /^(?:from |between )?(.+?) (?:to|until|till|and|through|–|-) (.+)$/.exec(words);
  const known = simple(words, context);
  if (known !== undefined) return known;
  const since = /^since (.+)$/.exec(words);
  if (since !== null) return ordered(text, part(since[1], text, context).start, context.now);
  const until = /^until (.+)$/.exec(words);
  if (until !== null) return ordered(text, context.now, part(until[1], text, context).start);
  if (between === null) throw unknown(text);
  return ordered(text, part(between[1], text, context).start, part(between[2], text, context).end);
}

function simple(words: string, context: RangeContext): TimeRange | undefined {
  for (const [pattern, read] of rules) {
    const found = pattern.exec(words);
    if (found !== null) return read(found.slice(1), context);
  }
  return undefined;
}

function part(words: string | undefined, whole: string, context: RangeContext): TimeRange {
  const found = simple((words ?? '').trim(), context);
  if (found === undefined) throw unknown(whole);
  return found;
}

function ordered(text: string, start: Time, end: Time): TimeRange {
  if (Temporal.ZonedDateTime.compare(start, end) > 0) throw new Error(`"${text}" ends before it begins.`);
  return { start, end };
}

function unknown(text: string): Error {
  const forms =
    '"last week", "past 3 days", "next friday", "March 2025", "Q1 2026", "2026-03-01", "from 2026-01-01 to today"';
  return new Error(`"${text}" is not a known range of time. Use one of these forms: ${forms}.`);
}

/** The calendar unit at an offset from the current one: -1 is the last one. */
function aside(unit: string | undefined, count: number, context: RangeContext): TimeRange {
  if (unit === 'weekend') return weekend(count, context);
  const start = begin(unit as Unit, shift(context.now, unit, count), context);
  return { start, end: shift(start, unit, 1) };
}

/** Saturday and Sunday of the week (from Monday) at an offset from the current one. */
function weekend(count: number, { now }: RangeContext): TimeRange {
  const start = begin('week', now, { now, weekStart: 1 }).add({ days: 7 * count + 5 });
  return { start, end: start.add({ days: 2 }) };
}

/** The calendar unit that contains a moment, independent of the start of the week. */
function whole(unit: Exclude<Unit, 'week'>, time: Time): TimeRange {
  const start = begin(unit, time, { now: time, weekStart: 1 });
  return { start, end: shift(start, unit, 1) };
}

function begin(unit: Unit, time: Time, { weekStart }: RangeContext): Time {
  const day = time.startOfDay();
  switch (unit) {
    case 'minute':
    case 'hour':
      return time.round({ smallestUnit: unit, roundingMode: 'floor' });
    case 'day':
      return day;
    case 'week':
      return day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 });
    case 'month':
      return day.with({ day: 1 });
    case 'quarter':
      return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 });
    case 'year':
      return day.with({ month: 1, day: 1 });
  }
}

function shift(time: Time, unit: string | undefined, count: number): Time {
  if (unit === 'quarter') return time.add({ months: 3 * count });
  if (unit === 'weekend') return time.add({ weeks: count });
  return time.add({ [`${unit}s`]: count });
}

function countOf(text = ''): number {
  if (text === 'a' || text === 'an') return 1;
  const word = numbers.indexOf(text);
  return word === -1 ? Number(text) : word;
}

/** `friday` is the next one, today included; `last` and `next` exclude today. */
function dayNear(now: Time, name: string, which: string): Time {
  const day = weekdays.findIndex((each) => each.toLowerCase() === name) + 1;
  const ahead = (day - now.dayOfWeek + 7) % 7;
  if (which === 'last' || which === 'previous') return now.add({ days: ahead - 7 });
  return now.add({ days: ahead === 0 && which !== '' && which !== 'this' ? 7 : ahead });
}

interface NamedMonth {
  readonly month: string;
  readonly which: string;
  readonly year: string | undefined;
}

/** `march` is this year's; `last` is the latest that is over, `next` the first that has not begun. */
function monthNear(now: Time, { month: name, which, year }: NamedMonth): Time {
  const month = months.indexOf(name) + 1;
  if (year !== undefined) return dateIn(now, [Number(year), month]);
  const isOver = month < now.month;
  const isAhead = month > now.month;
  const years = which === 'last' || which === 'previous' ? (isOver ? 0 : -1) : which === 'next' ? (isAhead ? 0 : 1) : 0;
  return dateIn(now, [now.year + years, month]);
}

function quarterOf(now: Time, quarter: number, year?: string): TimeRange {
  return whole('quarter', dateIn(now, [year === undefined ? now.year : Number(year), 3 * quarter - 2]));
}

function isoWeek(now: Time, year: number, week: number): TimeRange {
  const first = dateIn(now, [year, 1, 4]); // always in the first week
  const start = first.subtract({ days: first.dayOfWeek - 1 }).add({ weeks: week - 1 });
  if (week < 1 || start.yearOfWeek !== year) throw new Error(`${year} has no week ${week}.`);
  return { start, end: start.add({ weeks: 1 }) };
}

function dateIn({ timeZoneId }: Time, [year, month = 1, day = 1]: readonly number[]): Time {
  try {
    return Temporal.PlainDate.from({ year: year ?? Number.NaN, month, day }, { overflow: 'reject' }).toZonedDateTime(
      timeZoneId,
    );
  } catch {
    throw new Error(`There is no day ${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}.`);
  }
}

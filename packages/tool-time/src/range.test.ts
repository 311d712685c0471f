import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { isoOf } from './moment.ts';
import { rangeOf } from './range.ts';

const at = (text: string, zone = 'Europe/Rome') => Temporal.PlainDateTime.from(text).toZonedDateTime(zone);
const now = at('2026-03-04T15:30:20'); // a Wednesday
const read = (text: string, weekStart = 1): string => {
  const { start, end } = rangeOf(text, { now, weekStart });
  return `${isoOf(start)} ${isoOf(end)}`;
};
const days = (start: string, end: string): string => [start, end].map((day) => isoOf(at(`${day}T00:00:00`))).join(' ');

it.each([
  ['today', '2026-03-04', '2026-03-05'],
  ['Yesterday', '2026-03-03', '2026-03-04'],
  ['tomorrow', '2026-03-05', '2026-03-06'],
  ['the day before yesterday', '2026-03-02', '2026-03-03'],
  ['day after tomorrow', '2026-03-06', '2026-03-07'],
  ['this week', '2026-03-02', '2026-03-09'],
  ['last week', '2026-02-23', '2026-03-02'],
  ['next  week', '2026-03-09', '2026-03-16'],
  ['last month', '2026-02-01', '2026-03-01'],
  ['this quarter', '2026-01-01', '2026-04-01'],
  ['last quarter', '2025-10-01', '2026-01-01'],
  ['last year', '2025-01-01', '2026-01-01'],
  ['last weekend', '2026-02-28', '2026-03-02'],
  ['this weekend', '2026-03-07', '2026-03-09'],
  ['2 days ago', '2026-03-02', '2026-03-03'],
  ['a week ago', '2026-02-23', '2026-03-02'],
  ['two months ago', '2026-01-01', '2026-02-01'],
  ['in 3 days', '2026-03-07', '2026-03-08'],
  ['friday', '2026-03-06', '2026-03-07'],
  ['wednesday', '2026-03-04', '2026-03-05'],
  ['last wednesday', '2026-02-25', '2026-02-26'],
  ['next wednesday', '2026-03-11', '2026-03-12'],
  ['january', '2026-01-01', '2026-02-01'],
  ['last december', '2025-12-01', '2026-01-01'],
  ['last march', '2025-03-01', '2025-04-01'],
  ['february 2024', '2024-02-01', '2024-03-01'],
  ['Q1', '2026-01-01', '2026-04-01'],
  ['q4 2025', '2025-10-01', '2026-01-01'],
  ['2025-Q4', '2025-10-01', '2026-01-01'],
  ['2026-W09', '2026-02-23', '2026-03-02'],
  ['2025', '2025-01-01', '2026-01-01'],
  ['2024-02', '2024-02-01', '2024-03-01'],
  ['2024-02-29', '2024-02-29', '2024-03-01'],
  ['from 2026-01-01 to yesterday', '2026-01-01', '2026-03-04'],
  ['between last monday and tuesday', '2026-03-02', '2026-03-11'],
])('%s is from %s to %s', (text, start, end) => {
  expect(read(text)).toBe(days(start, end));
});

it.each([
  ['past 3 days', '2026-03-01T15:30:20+01:00 2026-03-04T15:30:20+01:00'],
  ['last 90 minutes', '2026-03-04T14:00:20+01:00 2026-03-04T15:30:20+01:00'],
  ['past week', '2026-02-25T15:30:20+01:00 2026-03-04T15:30:20+01:00'],
  ['next twelve hours', '2026-03-04T15:30:20+01:00 2026-03-05T03:30:20+01:00'],
  ['last hour', '2026-03-04T14:00:00+01:00 2026-03-04T15:00:00+01:00'],
  ['week to date', '2026-03-02T00:00:00+01:00 2026-03-04T15:30:20+01:00'],
  ['since last monday', '2026-03-02T00:00:00+01:00 2026-03-04T15:30:20+01:00'],
  ['until friday', '2026-03-04T15:30:20+01:00 2026-03-06T00:00:00+01:00'],
])('%s is %s', (text, range) => {
  expect(read(text)).toBe(range);
});

it('begins weeks where the user says they begin', () => {
  expect(read('this week', 7)).toBe(days('2026-03-01', '2026-03-08'));
  expect(read('last week', 6)).toBe(days('2026-02-21', '2026-02-28'));
});

it('keeps to midnight where the clocks change', () => {
  const { start, end } = rangeOf('this month', { now, weekStart: 1 });
  expect([isoOf(start), isoOf(end)]).toEqual(['2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00']);
  const saoPaulo = at('2018-11-04T12:00:00', 'America/Sao_Paulo'); // that day had no midnight
  expect(isoOf(rangeOf('today', { now: saoPaulo, weekStart: 1 }).start)).toBe('2018-11-04T01:00:00-02:00');
});

it.each(['', 'sometime', 'last', 'last blue moon', '2026-02-30', '2025-w53x', '99999', 'from tomorrow to'])(
  'refuses %j with what would do',
  (text) => {
    expect(() => read(text)).toThrow(/not a known range of time|There is no day/);
  },
);

it('refuses a range that ends before it begins, and a week that is not', () => {
  expect(() => read('from tomorrow to yesterday')).toThrow('ends before it begins');
  expect(() => read('2025-w53')).toThrow('2025 has no week 53');
});

function answerTo(words: string, time: Temporal.ZonedDateTime): string {
  try {
    const { start, end } = rangeOf(words, { now: time, weekStart: 1 });
    return start.epochMilliseconds <= end.epochMilliseconds ? 'fine' : 'backwards';
  } catch (error) {
    return (error as Error).message;
  }
}

it('whatever is asked, at whatever time: it begins before it ends, or is refused in words', () => {
  const word = fc.constantFrom(
    'last',
    'next',
    'this',
    'past',
    '3',
    'two',
    'day',
    'weeks',
    'month',
    'ago',
    'in',
    'to',
    'from',
    'friday',
    'march',
    '2024',
    'q2',
    'since',
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 5 }),
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      (words, date) => {
        const time = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('America/New_York');
        expect(answerTo(words.join(' '), time)).toMatch(
          /^fine$|not a known range of time|ends before|There is no day|has no week/,
        );
      },
    ),
    { numRuns: 500 },
  );
});

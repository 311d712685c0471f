import { expect, it, onTestFinished, vi } from 'vitest';
import * as english from './english.ts';
import { formatsFor } from './formats.ts';
import { completed } from './texts.ts';

it('says how long something took', () => {
  const spans = [0, 80, 949, 960, 9_940, 9_960, 59_400, 59_600, 125_000, 3_599_600, 7_260_000];
  expect(spans.map(formatsFor('en').duration)).toEqual([
    '0ms',
    '80ms',
    '949ms',
    '1s',
    '9.9s',
    '10s',
    '59s',
    '1m 0s',
    '2m 5s',
    '1h 0m',
    '2h 1m',
  ]);
});

it('writes numbers, sizes and money as the language does', () => {
  const written = ['en', 'de'].map((locale) => {
    const { number, roundNumber, bytes, dollars } = formatsFor(locale);
    return [
      number(1_234.5),
      roundNumber(25_300),
      bytes(1),
      bytes(12_345),
      bytes(5_200_000),
      dollars(0.0123),
      dollars(12),
    ];
  });
  expect(written[0]).toEqual(['1,234.5', '25 thousand', '1 byte', '12.3 kB', '5.2 MB', '$0.0123', '$12.00']);
  expect(written[1]?.map((text) => text.replaceAll(/\s/g, ' '))).toEqual([
    '1.234,5',
    '25 Tausend',
    '1 Byte',
    '12,3 kB',
    '5,2 MB',
    '0,0123 $',
    '12,00 $',
  ]);
});

it('chooses the form of a text by the count, also in languages with more than two', () => {
  expect([1, 2].map(english.settings.found)).toEqual(['1 tool', '2 tools']);
  const { plural } = formatsFor('pl');
  const files = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' };
  expect([1, 3, 5].map((count) => plural(count, files))).toEqual(['plik', 'pliki', 'plików']);
});

it('fills in English for the texts that are absent, and formats of the language that is named', () => {
  const some = completed({ locale: 'de', call: { status: { done: 'Fertig' } } });
  expect(some.call.status).toEqual({ ...english.call.status, done: 'Fertig' });
  expect(some.thread).toEqual(english.thread);
  expect(some.formats.number(0.5)).toBe('0,5');
  expect(completed({})).toEqual({ ...english });
});

it('writes a time of day without its date', () => {
  const noon = new Date(2026, 0, 2, 12, 34).getTime();
  expect(formatsFor('de').timeOfDay(noon)).toBe('12:34');
  expect(formatsFor('de').time(noon)).toContain('2026');
});

it('writes dates as the region of the browser does, whatever else its list of languages holds', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const dateOf = (...languages: readonly string[]): string => {
    vi.stubGlobal('navigator', { languages });
    return formatsFor('en').time(Date.UTC(2026, 11, 24, 12));
  };
  expect(dateOf('en-US@posix', 'de', 'en-GB')).toMatch(/^24 Dec 2026/);
  expect(dateOf('en-US@posix', 'en-US')).toMatch(/^Dec 24, 2026/);
  expect(dateOf('en-US@posix')).toMatch(/^Dec 24, 2026/);
});

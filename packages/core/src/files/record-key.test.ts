import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, isAddressable } from './paths.ts';
import { recordDirectory, recordFile, recordKeyOf } from './record-key.ts';

const id = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '/',
    'a',
    'A',
    'é',
    'E\u0301',
    '+',
    '%',
    'a/',
    'x.json',
    'x'.repeat(200),
    'x'.repeat(201),
    '😀'.repeat(100),
  ),
);
const key = fc.array(id, { minLength: 1, maxLength: 4 });

describe('the file of a record', () => {
  it.each([
    [['settings', 'default'], '/settings/default.json'],
    [['threads', 'a/b', 'events'], '/threads/a%2fb/events.json'],
    [['..', 'A.b'], '/%2e%2e/%41%2eb.json'],
    [[''], '/%.json'],
    [['x'.repeat(201)], `/${'x'.repeat(200)}+/x.json`],
  ])('of %j is %s', (ids, path) => {
    expect(recordFile(ids)).toBe(path);
  });

  it('has names that every disk takes, and gives back its key', () => {
    const property = fc.property(key, (ids) => {
      const path = recordFile(ids);
      expect(path.slice(1).split('/').every(isAddressable)).toBe(true);
      expect(recordKeyOf(path)).toEqual(ids);
      expect(path.startsWith(recordDirectory(ids))).toBe(true);
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });

  it('is another one for every key, also where case counts for nothing', () => {
    const property = fc.property(key, key, (left, right) => {
      const isSame = JSON.stringify(left) === JSON.stringify(right);
      expect(foldCase(recordFile(left)) === foldCase(recordFile(right))).toBe(isSame);
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });

  it('does not exist for records that were set aside', () => {
    expect(recordKeyOf('/settings/default.corrupt-1')).toBeUndefined();
    expect(recordKeyOf('/settings/default.corrupt-1.json')).toBeUndefined();
  });

  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('%', '2', '0', 'f', 'a', 'A', '+', '/', '-', ' ', 'é'), maxLength: 8 }),
    fc.constantFrom(
      '000000000002 (100% copy)',
      '%zz',
      '%ff',
      '%c3%28',
      '%',
      '%%',
      'a%',
      '+',
      'a+/b',
      'A',
      '%2E',
      '%61',
    ),
  );

  it('whose name had a percent sign, as a copy by a person may have, made its whole log unreadable', () => {
    const property = fc.property(name, (text) => {
      const path = `/${text}.json`;
      const found = recordKeyOf(path);
      expect([path, undefined]).toContain(found && recordFile(found));
    });
    expect(() => fc.assert(property, { numRuns: 1_000 })).not.toThrow();
    expect(recordKeyOf('/log/000000000002 (100% copy).json')).toBeUndefined();
  });

  it('is refused for no id, and for half of a surrogate pair', () => {
    expect(() => recordFile([])).toThrow(expect.objectContaining({ code: 'EINVAL' }));
    expect(() => recordFile(['\ud800'])).toThrow(expect.objectContaining({ code: 'EILSEQ' }));
  });
});

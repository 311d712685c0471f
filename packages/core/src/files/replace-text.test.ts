import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextReplacement } from './files.ts';
import { utf8 } from '../base/text-encoding.ts';
import { insertText, replaceText as replaceDecoded } from './replace-text.ts';
import type { TextEdit } from './replace-text.ts';

const replaceText = (before: string, replacement: TextReplacement, path: string): TextEdit =>
  replaceDecoded({ text: before, format: utf8 }, replacement, path);

const line = fc.constantFrom('a', 'b', 'aa', '', '$&', 'é');
const text = fc.tuple(fc.array(line), fc.constantFrom('\n', '\r\n')).map(([lines, lineBreak]) => lines.join(lineBreak));

describe('replaceText', () => {
  it.each([
    ['one two', { oldText: 'two', newText: '2' }, 'one 2', [{ start: 1, end: 1 }]],
    ['a\nb\nc\n', { oldText: 'b\nc', newText: 'x\ny\nz' }, 'a\nx\ny\nz\n', [{ start: 2, end: 4 }]],
    ['a\nb\nc\n', { oldText: 'b\n', newText: '' }, 'a\nc\n', [{ start: 2, end: 2 }]],
    ['cost', { oldText: 'cost', newText: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'", [{ start: 1, end: 1 }]],
    ['a.c abc', { oldText: 'a.c', newText: 'x' }, 'x abc', [{ start: 1, end: 1 }]],
    [
      'a a\na',
      { oldText: 'a', newText: '1\n2', all: true },
      '1\n2 1\n2\n1\n2',
      [
        { start: 1, end: 2 },
        { start: 2, end: 3 },
        { start: 4, end: 5 },
      ],
    ],
    ['a\r\nb\r\n', { oldText: 'b', newText: 'c' }, 'a\r\nc\r\n', [{ start: 2, end: 2 }]],
  ])('in %j', (before, replacement, after, ranges) => {
    expect(replaceText(before, replacement, '/f')).toEqual({ text: after, ranges });
  });

  it('[D0-03] refuses an empty text at once', () => {
    const message = "EINVAL: invalid argument, '/f'. The text to replace is empty: say which text to replace.";
    expect(() => replaceText('abc', { oldText: '', newText: 'x' }, '/f')).toThrow(message);
    expect(() => replaceText('', { oldText: '', newText: 'x', all: true }, '/f')).toThrow(message);
  });

  it('says where each of several occurrences is', () => {
    const message =
      "string_not_unique: the text occurs 3 times, '/f', on lines 1, 1, 3. Add what is around it, or replace all.";
    expect(() => replaceText('x x\n\nx', { oldText: 'x', newText: 'y' }, '/f')).toThrow(
      expect.objectContaining({ code: 'string_not_unique', lines: [1, 1, 3], message }),
    );
  });

  it('means the line breaks of the file, and mixes none', () => {
    const replaced = (oldText: string, newText: string): string =>
      replaceText('a\r\nb\r\nc', { oldText, newText }, '/f').text;
    expect(replaced('a\nb', 'x\ny')).toBe('x\r\ny\r\nc');
    expect(replaced('a\r\nb', 'x\r\ny')).toBe('x\r\ny\r\nc');
    expect(replaced('b', 'x\n')).toBe('a\r\nx\r\n\r\nc');
    expect(replaceText('a\nb', { oldText: 'b', newText: 'x\r\ny' }, '/f').text).toBe('a\nx\r\ny');
  });

  it('writes the line breaks of the place where a file mixes them, and parts none', () => {
    const replaced = (before: string, oldText: string): string =>
      replaceText(before, { oldText, newText: 'x\ny' }, '/f').text;
    expect(replaced('a\r\nb\nc\n', 'b')).toBe('a\r\nx\ny\nc\n');
    expect(replaced('a\nb\r\nc\n', 'b')).toBe('a\nx\r\ny\r\nc\n');
    expect(replaced('a\r\nb', '\n')).toBe('ax\r\nyb');
  });

  it('finds several lines across what they stand in', () => {
    expect(() => replaceText('a\nb\na\nb', { oldText: 'a\nb', newText: 'x' }, '/f')).toThrow(
      expect.objectContaining({ lines: [1, 3] }),
    );
  });

  it('says why a text is not found', () => {
    const missing =
      "string_not_found: no such text, '/f'. It must match exactly, spaces and line breaks included: read the file again.";
    expect(() => replaceText('abc', { oldText: 'abd', newText: 'x' }, '/f')).toThrow(missing);
  });

  it('replaces what is there and nothing else', () => {
    const property = fc.property(
      text,
      fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b', '\n') }),
      line,
      (before, oldText, newText) => {
        const parts = before.split(before.includes('\r\n') ? oldText.replaceAll('\n', '\r\n') : oldText);
        fc.pre(parts.length > 1);
        const { text: after, ranges } = replaceText(before, { oldText, newText, all: true }, '/f');
        expect(after).toBe(parts.join(newText));
        const lines = after.split('\n');
        const written = ranges.map(({ start, end }) => lines.slice(start - 1, end).join('\n'));
        expect(written).toEqual(parts.slice(1).map(() => expect.stringContaining(newText)));
      },
    );
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });
});

describe('insertText', () => {
  const insert = (before: string, at: number, inserted: string) =>
    insertText(before, { line: at, inserted, path: '/f' });

  it.each([
    ['a\nb\n', 0, 'x', 'x\na\nb\n', { start: 1, end: 1 }],
    ['a\nb\n', 1, 'x', 'a\nx\nb\n', { start: 2, end: 2 }],
    ['a\nb\n', 2, 'x', 'a\nb\nx\n', { start: 3, end: 3 }],
    ['a\nb', 2, 'x', 'a\nb\nx', { start: 3, end: 3 }],
    ['a\nb', 2, 'x\n', 'a\nb\nx\n', { start: 3, end: 3 }],
    ['a\n', 1, 'x\ny', 'a\nx\ny\n', { start: 2, end: 3 }],
    ['', 0, 'x', 'x\n', { start: 1, end: 1 }],
    ['a\n', 0, '', '\na\n', { start: 1, end: 1 }],
    ['a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n', { start: 2, end: 3 }],
    ['a\r\nb\r\n', 1, 'x\r\n', 'a\r\nx\r\nb\r\n', { start: 2, end: 2 }],
    ['a\r\nb', 2, 'x\n', 'a\r\nb\r\nx\r\n', { start: 3, end: 3 }],
    ['\n\n', 1, '$&', '\n$&\n\n', { start: 2, end: 2 }],
  ])('in %j after line %i: %j', (before, at, inserted, after, range) => {
    expect(insert(before, at, inserted)).toEqual({ text: after, ranges: [range] });
  });

  it('[D0-07] adds no blank line when the text ends in a line break', () => {
    expect(insert('a\nb\n', 1, 'text\n').text).toBe('a\ntext\nb\n');
    expect(insert('a\nb\n', 1, 'text\n').text).toBe(insert('a\nb\n', 1, 'text').text);
  });

  it.each([-1, 3, 1.5, Number.NaN])('refuses line %d', (at) => {
    expect(() => insert('a\nb\n', at, 'x')).toThrow(
      expect.objectContaining({
        code: 'invalid_line',
        lines: [0, 2],
        message: `invalid_line: no line ${at} to insert after, '/f'. Give a line from 0 (before the first) to 2.`,
      }),
    );
  });

  it('leaves all lines as they are and puts the new ones between', () => {
    const property = fc.property(text, line, fc.nat(), (before, inserted, anywhere) => {
      const linesOf = (whole: string) => (whole === '' ? [] : whole.replace(/\r?\n$/, '').split(/\r?\n/));
      const old = linesOf(before);
      const at = anywhere % (old.length + 1);
      const { text: after, ranges } = insert(before, at, inserted);
      // An empty line at the very end would have to end in a line break that the file does not want.
      fc.pre(inserted !== '' || at < old.length || before.endsWith('\n'));
      expect(linesOf(after)).toEqual([...old.slice(0, at), inserted, ...old.slice(at)]);
      expect(ranges).toEqual([{ start: at + 1, end: at + 1 }]);
      expect(after.replaceAll('\r\n', '').includes('\n')).toBe(after.includes('\n') && !before.includes('\r\n'));
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });
});

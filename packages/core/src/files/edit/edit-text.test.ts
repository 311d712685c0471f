import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { encodeText } from '../text.ts';
import { applyChanges, invertChanges } from './changes.ts';
import { editBytes } from './edit-file.ts';
import { editText } from './edit-text.ts';
import { splitAt } from './indivisible.ts';
import type { EditedText, Replacement } from './replacement.ts';

const piece = fc.constantFrom(
  'a',
  'b',
  'aa',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '"',
  '“',
  '’',
  '–',
  'ﬁ',
  'f',
  'i',
  'é',
  'e\u0301',
  '\u00a0',
  '\u200b',
  '😀',
  '$&',
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const replacement = fc.record({ oldText: text, newText: text, all: fc.boolean(), lines: fc.boolean() });

/** Result of an edit, or undefined if it throws one of our errors; anything else fails the test. */
function attempt<Result>(edit: () => Result): Result | undefined {
  try {
    return edit();
  } catch (error) {
    if (isUtensilError(error)) return undefined;
    throw error;
  }
}

function expectUndone({ before, text: after, places }: EditedText): void {
  expect(applyChanges(before, places)).toBe(after);
  expect(applyChanges(after, invertChanges(places))).toBe(before);
  let end = 0;
  for (const { start, oldText } of places) {
    expect(start).toBeGreaterThanOrEqual(end);
    expect(before.slice(start, start + oldText.length)).toBe(oldText);
    end = start + oldText.length;
  }
}

describe('editText', () => {
  it('finds part of any text exactly if it is there once', () => {
    const property = fc.property(text, fc.nat(), fc.nat(), text, (before, from, length, newText) => {
      const start = before === '' ? 0 : from % before.length;
      const oldText = before.slice(start, start + 1 + (length % 8));
      const end = start + oldText.length;
      const splits = [start, end].some((index) => splitAt(before, index) !== undefined);
      fc.pre(oldText !== '' && oldText !== newText && !splits && !/\r?\n/.test(newText));
      fc.pre(before.indexOf(oldText) === start && before.indexOf(oldText, start + 1) === -1);
      const edited = editText(before, [{ oldText, newText }], '/f');
      expect(edited.text).toBe(before.slice(0, start) + newText + before.slice(end));
      expect(edited.places).toMatchObject([{ stage: 'exact', start, oldText, newText, replacement: 0 }]);
      expectUndone(edited);
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });

  it('can be undone, whatever it found, and fails with nothing but a Utensil error', () => {
    let done = 0;
    const property = fc.property(text, fc.array(replacement, { maxLength: 3 }), (before, replacements) => {
      const edited = attempt(() => editText(before, replacements, '/f'));
      if (edited === undefined) return;
      done++;
      expectUndone(edited);
    });
    fc.assert(property, { numRuns: 3000, seed: 7 });
    expect(done).toBeGreaterThan(20);
  });

  it('finds parts of a text in another writing, and can be undone', () => {
    const stages = new Set<string>();
    const rewritten = (part: string): string =>
      part
        .replaceAll('\r\n', '\n')
        .replaceAll(/[“”]/g, '"')
        .replaceAll('–', '-')
        .replaceAll('ﬁ', 'fi')
        .normalize('NFC');
    const property = fc.property(text, fc.nat(), fc.nat(), (before, from, length) => {
      const start = before === '' ? 0 : from % before.length;
      const oldText = rewritten(before.slice(start, start + 2 + (length % 12)));
      const edited = attempt(() => editText(before, [{ oldText, newText: `${oldText}new` }], '/f'));
      if (edited === undefined) return;
      for (const { stage } of edited.places) stages.add(stage);
      expectUndone(edited);
    });
    fc.assert(property, { numRuns: inject('isLong') ? 3000 : 1000, seed: 7 });
    expect([...stages].sort()).toEqual(['blanks', 'characters', 'exact', 'line-breaks']);
  });

  it('counts the lines that it wrote', () => {
    const property = fc.property(text, replacement, (before, given) => {
      const edited = attempt(() => editText(before, [given], '/f'));
      const lines = edited?.text.split('\n') ?? [];
      for (const { newLines, newText } of edited?.places ?? []) {
        const shown = lines.slice(newLines.start - 1, newLines.end).join('\n');
        expect(`${shown}\n`).toContain(newText);
      }
    });
    expect(() => fc.assert(property, { numRuns: inject('isLong') ? 2000 : 500 })).not.toThrow();
  });

  it('gives lines and a path with what it refuses', () => {
    const refused = (replacements: readonly Replacement[]) => () => editText('a\nb\na\n', replacements, '/f');
    expect(refused([{ oldText: 'a', newText: 'c' }])).toThrow(
      expect.objectContaining({ code: 'string_not_unique', path: '/f', lines: [1, 3] }),
    );
    expect(
      refused([
        { oldText: 'a\nb', newText: 'c' },
        { oldText: 'b\na', newText: 'c' },
      ]),
    ).toThrow(expect.objectContaining({ code: 'EINVAL', path: '/f', lines: [2] }));
  });

  it('says which replacement each place is of, and how it was found', () => {
    const { places } = editText(
      '“a”\nb\n',
      [
        { oldText: 'b', newText: 'c' },
        { oldText: '"a"', newText: '"d"' },
      ],
      '/f',
    );
    expect(places).toEqual([
      {
        replacement: 1,
        stage: 'characters',
        start: 1,
        oldText: 'a',
        newText: 'd',
        oldLines: { start: 1, end: 1 },
        newLines: { start: 1, end: 1 },
      },
      {
        replacement: 0,
        stage: 'exact',
        start: 4,
        oldText: 'b',
        newText: 'c',
        oldLines: { start: 2, end: 2 },
        newLines: { start: 2, end: 2 },
      },
    ]);
  });

  it('refuses to make a text that no file could hold', () => {
    const replacements = [{ oldText: 'a', newText: 'b'.repeat(1_000_000), all: true }];
    expect(() => editText('a'.repeat(100), replacements, '/f')).toThrow(expect.objectContaining({ code: 'EFBIG' }));
    const large = 'a'.repeat(64 * 1024 * 1024 + 1);
    expect(() => editText(large, [{ oldText: 'b', newText: 'c' }], '/f')).toThrow(
      expect.objectContaining({ code: 'EFBIG', message: expect.stringContaining('too large to be edited') }),
    );
  });

  it('refuses more places than it can give', () => {
    const replacements = ['x', 'y'].map((oldText) => ({ oldText, newText: 'z', all: true }));
    expect(() => editText('xy'.repeat(500_001), replacements, '/f')).toThrow(
      expect.objectContaining({
        code: 'EINVAL',
        message: expect.stringContaining('The text occurs more than 1,000,000 times'),
      }),
    );
  });

  it('names the lines of a hundred places, and counts the others', () => {
    expect(() => editText('x,'.repeat(12_365), [{ oldText: 'x', newText: 'y' }], '/f')).toThrow(
      expect.objectContaining({
        code: 'string_not_unique',
        count: 12_365,
        lines: Array.from({ length: 100 }, () => 1),
        message: `string_not_unique: the text occurs 12365 times, '/f', on lines ${'1, '.repeat(19)}1 and 12,345 more. Add what is around it, or replace all.`,
      }),
    );
  });

  it('replaces fewer texts at once the larger the file is', () => {
    const large = 'a'.repeat(30 * 1024 * 1024);
    const replacements = ['b', 'c', 'd'].map((oldText) => ({ oldText, newText: 'e' }));
    expect(() => editText(large, replacements, '/f')).toThrow(
      expect.objectContaining({
        code: 'EINVAL',
        message: expect.stringContaining('More than 2 texts of so large a file are replaced at once'),
      }),
    );
  });

  it('counts converted indentation towards the size limit', () => {
    const replacement = { oldText: '\ta\n', newText: '\tb\n'.repeat(1_000) };
    expect(editText('    a\n', [replacement], '/f').text).toBe('    b\n'.repeat(1_000));
    expect(() => editText(`${' '.repeat(1_000_000)}a\n`, [replacement], '/f')).toThrow(
      expect.objectContaining({ code: 'EFBIG' }),
    );
  });

  it('says where not every way to write a text was searched for', () => {
    const text = `${'“'.repeat(2 * 1024 * 1024 + 1)}end`;
    expect(editText(text, [{ oldText: 'end', newText: 'END' }], '/f').text.endsWith('“END')).toBe(true);
    expect(() => editText(text, [{ oldText: '"end', newText: 'END' }], '/f')).toThrow(
      expect.objectContaining({
        code: 'string_not_found',
        message: expect.stringContaining(
          'The file is too long, or too unlike plain text, to be searched for other ways',
        ),
      }),
    );
  });

  it.each([
    ['one letter', 'a'.repeat(200_000), `${'a'.repeat(50_000)}b`],
    ['blanks', ' '.repeat(200_000), `${' '.repeat(1000)}x`],
    ['line breaks', '\n'.repeat(200_000), `${'\n'.repeat(1000)}x`],
    ['carriage returns', '\r'.repeat(200_000), `${'\r'.repeat(1000)}x`],
    ['marks', `e${'\u0301'.repeat(100_000)}`, `e${'\u0301\u0323'.repeat(1000)}x`],
    ['typographic quotes', '“'.repeat(200_000), `${'"'.repeat(1000)}x`],
    ['equal lines', 'ab\n'.repeat(50_000), `${'  ab\n'.repeat(20_000)}c`],
    ['equal lines indented', '  ab\n'.repeat(20_000), 'ab\n'.repeat(8_000)],
    ['equal lines indented, but for one', '  ab\n'.repeat(60_000), `${'ab\n'.repeat(30_000)} ab`],
    ['lines that are nearly alike', `${'let value = '.repeat(16)}\n`.repeat(20_000), 'let value = '.repeat(15)],
    ['one long line', 'x,'.repeat(400_000), 'x'],
  ])('comes to an end with a text of nothing but %s', (_name, before, oldText) => {
    expect(attempt(() => editText(before, [{ oldText, newText: 'new' }], '/f'))).toBeUndefined();
  });
});

/** Words that are nowhere else, between lines that a file has in its own writing. */
const lines = fc.array(fc.constantFrom('say "hi"', "it's - so", 'a b c', '', 'the first...', '  in', '{'), {
  minLength: 1,
  maxLength: 4,
});

const disguises: Readonly<Record<string, (plain: string) => string>> = {
  'as it is': (plain) => plain,
  'with CRLF': (plain) => plain.replaceAll('\n', '\r\n'),
  'with blanks at the ends of lines': (plain) => plain.replaceAll('\n', ' \t\n'),
  'in typography': (plain) =>
    plain
      .replaceAll(/"([^"\n]*)"/g, '“$1”')
      .replaceAll("'", '’')
      .replaceAll(' - ', ' – ')
      .replaceAll('...', '…')
      .replaceAll('a b', 'a\u00a0b'),
  indented: (plain) => plain.replaceAll(/^(?=.)/gm, '    '),
};

describe.each(Object.entries(disguises))('an edit of a file %s', (_name, disguise) => {
  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    'is undone by the texts the other way round, in %s',
    (encoding) => {
      const part = fc.tuple(lines, lines, lines);
      const property = fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean(), (parts, bom) => {
        const plain = parts.map(([above, between, below], index) =>
          [...above, `word${index} old`, ...between, `term${index} old`, ...below].join('\n'),
        );
        const format = { encoding, bom: bom || encoding !== 'utf-8' };
        const bytes = encodeText(disguise(`${plain.join('\n--\n')}\n`), format, '/f');
        const there = plain.map((oldText) => ({
          oldText,
          newText: oldText.replaceAll(/(word|term)(\d) old/g, '$1$2 new'),
        }));
        const back = there.map(({ oldText, newText }) => ({ oldText: newText, newText: oldText }));
        const edited = editBytes(bytes, there, '/f');
        expect(edited.bytes).toEqual(
          encodeText(edited.before.replaceAll(/(word|term)(\d) old/g, '$1$2 new'), format, '/f'),
        );
        expect(editBytes(edited.bytes, back, '/f').bytes).toEqual(bytes);
      });
      expect(() => fc.assert(property, { numRuns: 60 })).not.toThrow();
    },
  );
});

describe('editBytes', () => {
  it('fails with nothing but a Utensil error, whatever the bytes and the texts are', () => {
    const unit = fc.constantFrom('\0', '\ud800', '\udc00', '\ufeff', 'a', '\n', '\ufffe', '\u0301');
    const any = fc.string({ unit, maxLength: 6 });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc
        .tuple(fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]), fc.uint8Array({ maxLength: 8 }))
        .map(([mark, rest]) => Uint8Array.from([...mark, ...rest])),
    );
    const property = fc.property(bytes, any, any, (before, oldText, newText) => {
      attempt(() => editBytes(before, [{ oldText, newText }], '/f'));
    });
    expect(() => fc.assert(property, { numRuns: 1000 })).not.toThrow();
  });
});

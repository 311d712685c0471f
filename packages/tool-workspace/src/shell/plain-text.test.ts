import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, shownLines, visible } from './plain-text.ts';

const plain = (...pieces: readonly string[]): string => {
  const text = plainText();
  return pieces.map((piece) => text.add(piece)).join('') + text.end();
};

describe('text for a model', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['movements of the cursor', 'a\u001b[2K\u001b[1Ab', 'ab'],
    ['the title of the window, ended by a bell', '\u001b]0;title\u0007text', 'text'],
    ['a link', '\u001b]8;;https://a.example\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a string for the terminal', '\u001bPq#0;1~\u001b\\text', 'text'],
    ['a choice of letters', '\u001b(Btext', 'text'],
    ['a bell, a backspace, a NUL and C1', 'a\u0007\u0008\u0000\u009b31mb', 'a31mb'],
    ['a title that never ends: it hides nothing', '\u001b]0;title\nnext', '0;title\nnext'],
    ['half a sequence at the end', 'text\u001b[3', 'text3'],
  ])('is without %s', (_, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('keeps tabs, ends of lines, letters of all scripts', () => {
    expect(plain('a\tb\r\nж 漢 🥖\n')).toBe('a\tb\r\nж 漢 🥖\n');
  });

  it('is the same however it comes in pieces', () => {
    const piece = fc.constantFrom('a', '\n', '\r', '\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', 'P', '(', 'ж');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(plain(...pieces)).toBe(plain(pieces.join('')));
      }),
      { numRuns: 500 },
    );
  });

  it('has no control character left that a terminal would act on', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x2ff), { maxLength: 60 }), (units) => {
        const text = String.fromCharCode(...units);
        expect(plain(text)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 500 },
    );
  });

  it('holds back no more than a sequence can be long', () => {
    const text = plainText();
    expect(text.add(`\u001b]0;${'x'.repeat(5_000)}`)).toHaveLength(5_002);
  });
});

describe('lines', () => {
  it('are as they were written last', () => {
    expect(shownLines('10%\r50%\r100%\ndone\r\nno end\r')).toBe('100%\ndone\nno end');
  });
});

describe('a command that is shown', () => {
  it('contains no characters that hide or reorder the command', () => {
    expect(visible('ls\u202e\u200b \u001b[8m\nж')).toBe('ls\\u{202e}\\u{200b} \\u{001b}[8m\nж');
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstOf, hasUnseen, mixedWord, stretchesOf, visibleText } from './visible.ts';

it('names what turns a text around, and what is not seen', () => {
  expect(visibleText('invoice\u202Efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe');
  expect(visibleText('a\u0000b\u001b[2Jc\u200bd')).toBe('a⟨U+0000⟩b⟨U+001B⟩[2Jc⟨U+200B⟩d');
  expect(visibleText('rm\u{e0072}\u{e006d}')).toBe('rm⟨U+E0072⟩⟨U+E006D⟩');
});

it('counts empty lines and spaces that would push the rest out of view', () => {
  expect(visibleText(`ls${'\n'.repeat(300)}rm -rf`)).toBe('ls\n⟨↵ × 299⟩\nrm -rf');
  expect(visibleText(`ls${' '.repeat(500)}; rm`)).toBe('ls⟨␣ × 500⟩; rm');
});

it('accepts Windows line endings, and names carriage returns that overwrite a line', () => {
  expect(visibleText('a\r\nb\r\n')).toBe('a\r\nb\r\n');
  expect(hasUnseen('a\r\nb')).toBe(false);
  expect(visibleText('rm -rf /\rls')).toBe('rm -rf /⟨U+000D⟩ls');
});

it('leaves ordinary texts of any language alone', () => {
  for (const text of ['Read /a b/c.md\n\n\tindented', 'مرحبا بالعالم', 'می‌خواهم', '👩‍👩‍👧 family', '日本語', 'שלום'])
    expect(visibleText(text)).toBe(text);
});

it('begins with what is seen, however much is empty before it', () => {
  const first = firstOf(stretchesOf(`ls${'\n'.repeat(900)}rm -rf\nb\nc`), 99, 5);
  expect(first.stretches.map(({ text }) => text).join('')).toBe('ls\n⟨↵ × 899⟩\nrm -rf\nb\nc');
  expect(first.isWhole).toBe(true);
  expect(firstOf(stretchesOf('abc\ndef'), 99, 1)).toEqual({
    stretches: [{ text: 'abc', isNamed: false }],
    isWhole: false,
  });
});

it('keeps every ordinary character, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const stretches = stretchesOf(text);
      const kept = stretches.filter(({ isNamed }) => !isNamed).map((stretch) => stretch.text);
      expect(kept.every((each) => text.includes(each))).toBe(true);
      expect(stretches.some(({ isNamed }) => isNamed) || kept.join('') === text).toBe(true);
      expect(hasUnseen(visibleText(text))).toBe(false);
    }),
    { numRuns: 100 },
  );
});

it('finds words that mix alphabets', () => {
  expect(mixedWord('mail to p\u0430ypal.com')).toBe('p\u0430ypal');
  expect(mixedWord('Москва and London')).toBeUndefined();
});

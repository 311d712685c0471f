import { decodeText } from '@utensil/core/files';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editable, storedAs } from './edited-text.ts';

const utf8 = { encoding: 'utf-8', bom: false } as const;

it('leaves the ends of lines that were not touched unchanged', () => {
  const decoded = { text: 'a\r\nb\nc\r\nd\r', format: utf8 };
  expect(storedAs('a\nB\nnew\nc\nd\n', decoded)).toBe('a\r\nB\r\nnew\nc\r\nd\r');
});

it('stores unedited parts byte for byte, with any line endings', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n', '😀')).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (text) => {
      expect(storedAs(editable(text), { text, format: utf8 })).toBe(text);
    }),
  );
});

it('has in the file what was typed, whatever was there before', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n')).map((pieces) => pieces.join(''));
  const places = fc.tuple(fc.nat(20), fc.nat(20));
  fc.assert(
    fc.property(text, places, text.map(editable), (text, [from, to], typed) => {
      const before = editable(text);
      const edited = before.slice(0, from) + typed + before.slice(to);
      expect(editable(String(storedAs(edited, { text, format: utf8 })))).toBe(edited);
    }),
    { numRuns: 500, examples: [['a\rb\nc', [2, 3], '']] },
  );
});

it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('stores %s with its mark as it was stored', (encoding) => {
  const format = { encoding, bom: true };
  const stored = storedAs('grün 😀\n', { text: 'rot\r\n', format });
  const bytes = typeof stored === 'string' ? new TextEncoder().encode(stored) : stored;
  expect(decodeText(bytes)).toEqual({ text: 'grün 😀\r\n', format });
});

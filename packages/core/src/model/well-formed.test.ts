import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { wellFormed } from './well-formed.ts';

it('replaces halves of surrogate pairs, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.string({ unit: 'binary' }), (value, text) => {
      const whole = { [text]: [value, text, `${text}\\ud800\\\\ud800`] };
      expect(wellFormed(whole)).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(wellFormed(text)).toBe(text);
    }),
  );
  expect(wellFormed(['\ud800', { 'a\udfff\\': '\\\udead\n\\udead\u{1f4cf}' }])).toEqual([
    '\ufffd',
    { 'a\ufffd\\': '\\\ufffd\n\\udead\u{1f4cf}' },
  ]);
});

it('keeps the very object if there is nothing to replace', () => {
  const value = { text: '\u{1f4cf}\0' };
  expect(wellFormed(value)).toBe(value);
});

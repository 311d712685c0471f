import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalityKey } from './equality.ts';
import { newWork } from './work.ts';

/** JSON of few different parts, so that many pairs are equal. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(0, 1, 1.5, true, false, null, '', '1', 'true', 'null', '[]', '{}', '"', '",'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a":1,"b'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

const keyOf = (value: unknown): string => equalityKey(value, newWork());

it('gives two values one key exactly if they are equal', () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      // Some dictionaries have no prototype: as JSON, they are equal.
      const [a, b]: readonly unknown[] = [left, right].map((each) => JSON.parse(JSON.stringify(each)));
      expect(keyOf(a) === keyOf(b)).toBe(isDeepStrictEqual(a, b));
    }),
    { numRuns: 1000 },
  );
});

it('heeds neither the order of members nor the sign of zero', () => {
  expect(keyOf({ a: 1, b: [-0] })).toBe(keyOf({ b: [0], a: 1 }));
  expect(keyOf([1, 2])).not.toBe(keyOf([2, 1]));
});

it('copied a long text into the key of each level around it', () => {
  let value: unknown = 'x'.repeat(1_000_000);
  for (let level = 0; level < 400; level++) value = [value];
  expect(() => keyOf(value)).toThrow(expect.objectContaining({ code: 'schema_too_costly' }));
});

import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';

it('writes and reads base64 as everyone else does, over however many stretches', () => {
  const bytes = fc
    .uint8Array({ maxLength: 100 })
    .chain((few) =>
      fc
        .constantFrom(0, 8189, 8190, 16_381)
        .map((length) => new Uint8Array([...new Uint8Array(length).fill(7), ...few])),
    );
  fc.assert(
    fc.property(bytes, (given) => {
      const text = toBase64(given);
      expect(text).toBe(Buffer.from(given).toString('base64'));
      expect(fromBase64(text)).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

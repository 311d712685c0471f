import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepIdentity } from './keep-identity.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const items = fc.uniqueArray(fc.record({ id: fc.constantFrom(...'abcdef'), value: fc.nat(2) }), {
  selector: ({ id }) => id,
});
const idOf = ({ id }: Item): string => id;

describe('kept', () => {
  it('returns the new items, as the old objects if they are equal', () => {
    fc.assert(
      fc.property(items, items, (before, now) => {
        const result = keepIdentity(before, now, idOf);
        expect(result).toEqual(now);
        for (const item of result) {
          const last = before.find(({ id }) => id === item.id);
          expect(item === last).toBe(last?.value === item.value);
        }
        const isSame = JSON.stringify(before) === JSON.stringify(now);
        expect(result === before).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });
});

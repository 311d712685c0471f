import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StorageEntry } from '../driver.ts';
import { comparePaths, isWithin } from '../../paths.ts';
import { createSheet } from './staged-changes.ts';

const file = (path: string): StorageEntry => ({
  tree: 'files',
  path,
  kind: 'file',
  size: 0,
  modifiedAt: 0,
  etag: path,
});

const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'a b', 'a-b', 'a.b', 'é'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`);

const levelOf = (each: string): number => (each === '/' ? 0 : each.split('/').length - 1);

describe('what is staged below a directory', () => {
  it('is listed in order, after any path and down to any level', () => {
    const listings = fc.property(
      fc.array(fc.tuple(path, fc.boolean()), { maxLength: 30 }),
      fc.oneof(fc.constant('/'), path),
      fc.record({ depth: fc.integer({ min: 1, max: 5 }), after: fc.option(path, { nil: undefined }) }),
      (staged, directory, { depth, after }) => {
        const sheet = createSheet();
        const there = new Set<string>();
        for (const [each, stays] of staged) {
          if (stays) sheet.put({ entry: file(each) });
          else sheet.take({ tree: 'files', path: each });
          if (stays) there.add(each);
          else there.delete(each);
          const listed = [...sheet.below({ tree: 'files', path: directory, depth })]; // and the remembered lookups
          expect(listed.length).toBeLessThanOrEqual(there.size);
        }
        const expected = [...there]
          .filter((each) => each !== directory && isWithin(directory, each))
          .filter((each) => levelOf(each) - levelOf(directory) <= depth)
          .filter((each) => after === undefined || comparePaths(each, after) > 0)
          .sort(comparePaths);
        const query = { tree: 'files', path: directory, depth, ...(after !== undefined && { after }) } as const;
        expect([...sheet.below(query)].map(({ entry }) => entry.path)).toEqual(expected);
      },
    );
    fc.assert(listings, { numRuns: 500 });
  });
});

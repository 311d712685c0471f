import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { createFiles } from '../create-files.ts';
import type { Files } from '../files.ts';
import { seenBy } from './observer.ts';
import type { FilesObserver } from './observer.ts';

const paths = ['/a', '/b', '/d/a', '/d/b'] as const;
const path = fc.constantFrom(...paths);
const who = fc.constantFrom('tainted', 'clean', 'person');

const change = fc.oneof(
  fc.record({ type: fc.constant('write' as const), path, who }),
  fc.record({ type: fc.constant('append' as const), path, who }),
  fc.record({ type: fc.constant('insert' as const), path, who }),
  fc.record({ type: fc.constantFrom('copy' as const, 'move' as const), path, to: path, who }),
  fc.record({ type: fc.constant('remove' as const), path, who }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function run(isTainted: boolean): FilesObserver & { found: boolean } {
  const observer = { session: {}, found: false, isTainted: () => isTainted || observer.found, sources: () => [] };
  return Object.assign(observer, { taint: () => void (observer.found = true) });
}

function filesOf(files: Files, given: Change['who']): Files {
  return given === 'person' ? files : seenBy(files, run(given === 'tainted'));
}

/** Makes a change; gives whether it was made. */
async function make(files: Files, given: Change, text: string): Promise<boolean> {
  const as = filesOf(files, given.who);
  try {
    if (given.type === 'write') await as.write(given.path, text);
    else if (given.type === 'append') await as.append(given.path, text);
    else if (given.type === 'insert') await as.insertLines(given.path, 0, text);
    else if (given.type === 'remove') await as.remove(given.path);
    else await as[given.type](given.path, given.to, { overwrite: true });
    return true;
  } catch (error) {
    if (isUtensilError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The tainted files after the change, by path. */
function expected(before: ReadonlyMap<string, boolean>, given: Change): Map<string, boolean> {
  const after = new Map(before);
  const isTainted = before.get(given.path) === true;
  if (given.type === 'write') after.set(given.path, given.who === 'tainted');
  else if (given.type === 'append' || given.type === 'insert')
    after.set(given.path, isTainted || given.who === 'tainted');
  else if (given.type === 'remove') after.delete(given.path);
  else {
    if (given.type === 'move') after.delete(given.path);
    after.set(given.to, isTainted);
  }
  return after;
}

it('whatever is done to files, those with outside content taint who reads them, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
      const storage = memoryStorage();
      const files = createFiles(storage);
      let tainted = new Map<string, boolean>();
      for (const [index, each] of changes.entries())
        if (await make(files, each, `Text ${index}\n`)) tainted = expected(tainted, each);
      const later = createFiles({ ...storage }); // as another program opens it
      for (const at of paths) {
        const reader = run(false);
        const found = await seenBy(later, reader)
          .read(at)
          .catch(() => undefined);
        expect([at, found !== undefined, reader.found]).toEqual([at, tainted.has(at), tainted.get(at) ?? false]);
      }
    }),
    { numRuns: 200 },
  );
});

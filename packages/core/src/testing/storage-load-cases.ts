import { isUtensilError } from '../base/errors.ts';
import type { StorageDriver } from '../files/storage/driver.ts';
import { ancestorsOf, comparePaths, foldCase, resolvePath } from '../files/paths.ts';
import { assert, assertEqual } from './assert.ts';
import { randomPick } from './files-model.ts';
import { at, attempt, commit, pathsBelow, refuses, textAt, to, within } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';
import { assertHolds, commitBoth, emptyTrees, randomBatches } from './storage-model.ts';

/** Guarantees of a storage driver under stress: large batches, random work, unusual names, calls during close. */
export const loadCases = {
  'agrees with a plain map on random commits, and reads every listed entry': async (open) => {
    for (const seed of [1, 2, 3]) {
      const driver = await open(`seed ${seed}`);
      const batch = randomBatches(seed);
      let trees = emptyTrees();
      for (let count = 0; count < 40; count++) {
        trees = await commitBoth(driver, trees, batch(trees));
        await assertHolds(driver, trees);
      }
    }
  },

  'has everything after each of 20 random commits, when it is opened again': async (open) => {
    const batch = randomBatches(20);
    let trees = emptyTrees();
    for (let count = 0; count < 20; count++) {
      const driver = await open();
      trees = await commitBoth(driver, trees, batch(trees));
      await driver.close();
      await assertHolds(await open(), trees);
    }
  },

  'commits a batch of 500 changes completely or not at all': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/0', 'before'));
    const batch = Array.from({ length: 500 }, (_, index) => to.write(`/${index}`, `${index}`));
    await refuses(driver, '/missing', ...batch.slice(0, 499), to.remove('/missing'));
    assertEqual(await pathsBelow(driver), ['/0'], 'the paths after a batch whose last change failed');
    assertEqual(await textAt(driver, '/0'), 'before', 'the content after it');
    assertEqual((await commit(driver, ...batch)).length, 500, 'the entries of the batch');
    assertEqual((await pathsBelow(driver)).length, 500, 'the paths after the whole batch');
    for (const path of ['/0', '/250', '/499']) assertEqual(await textAt(driver, path), path.slice(1), path);
  },

  'keeps paths of every length and alphabet, and refuses those that differ only in case': async (open) => {
    const driver = await open();
    const written = new Map<string, string>();
    const spellings = new Map<string, string>();
    for (const path of randomPaths(40)) {
      for (const step of [...ancestorsOf(path), path]) {
        if (written.has(step)) continue;
        const twin = spellings.get(foldCase(step));
        const change = step === path ? to.write(step, step) : to.makeDirectory(step);
        const { ok } = await attempt(driver, [change], [{ ...at(step), etag: null }]);
        assertEqual(
          ok,
          twin === undefined,
          `whether ${JSON.stringify(step)} can be made alongside ${twin ?? 'the others'}`,
        );
        if (!ok) break;
        spellings.set(foldCase(step), step);
        written.set(step, step === path ? step : '(directory)');
      }
    }
    await assertPaths(driver, written);
  },

  'makes or refuses each commit that is under way when it is closed': async (open) => {
    const driver = await open();
    const commits = Array.from({ length: 20 }, (_, index) =>
      attempt(driver, [to.write(`/${index}`, 'x')]).then(
        ({ ok }) => (ok ? `/${index}` : 'a conflict'),
        (error: unknown) => (isUtensilError(error, 'EBADF') ? undefined : String(error)),
      ),
    );
    const closing = driver.close();
    const outcomes = await within('the end of the pending commits', Promise.all(commits));
    await within('the end of closing', closing);
    const made = outcomes.filter((outcome) => outcome !== undefined);
    assertEqual(
      [...(await pathsBelow(await open()))].sort(),
      made.sort(),
      'the content, compared to the reported commits',
    );
  },
} satisfies Readonly<Record<string, StorageCase>>;

/** Asserts that exactly these paths exist, listed in one page and in pages of 7. */
async function assertPaths(driver: StorageDriver, written: ReadonlyMap<string, string>): Promise<void> {
  const expected = [...written.keys()].sort(comparePaths);
  assertEqual(await pathsBelow(driver), expected, 'the paths');
  const paged: string[] = [];
  for (let after = '/'; paged.length < expected.length; after = paged.at(-1) ?? '/') {
    const page = await driver.list({ ...at('/'), depth: 32, after, limit: 7 });
    assert(page.length > 0, `nothing is listed after ${after}`);
    paged.push(...page.map(({ path }) => path));
  }
  assertEqual(paged, expected, 'the paths in pages');
  for (const [path, content] of written) {
    assertEqual((await textAt(driver, path)) ?? '(directory)', content, `the content of ${JSON.stringify(path)}`);
  }
}

const alphabets = ['abcXYZ', ' .-_~', '%2eF5c', 'éÉßσΣς', '日本語한', '👩‍💻🇩🇪😀', 'e\u0301u\u0308', '\'"$&;|#?*<>:'];
const awkward = [
  '__proto__',
  'constructor',
  '%41',
  '%2F',
  '..a',
  'a.',
  ' a',
  'a ',
  'Readme',
  'README',
  'con',
  'aux.txt',
];

/** Random, deterministic normalized paths: a quarter with names of maximum length, a quarter very deep. */
function randomPaths(count: number): readonly string[] {
  const pick = randomPick(count);
  const characters = (length: number): string => {
    const alphabet = Array.from(alphabets[pick(alphabets.length)] ?? '');
    return Array.from({ length }, () => alphabet[pick(alphabet.length)]).join('');
  };
  const name = (length: number): string => {
    const chosen = pick(3) === 0 ? awkward[pick(awkward.length)] : characters(length);
    return chosen === undefined || /^\.*$/.test(chosen.normalize('NFC')) ? 'dots' : chosen;
  };
  const shapes: readonly (() => readonly string[])[] = [
    () => [cut(characters(255), 255)],
    () => Array.from({ length: 32 }, () => cut(name(4), 24)),
    () => [name(6)],
    () => [name(3), name(3), name(20)],
  ];
  return Array.from({ length: count }, (_, index) => {
    const names = (shapes[index % shapes.length] as () => readonly string[])();
    return resolvePath(`/${names.join('/')}`);
  });
}

/** The longest prefix of a name that fits into a number of bytes. */
function cut(name: string, bytes: number): string {
  let kept = '';
  for (const character of name.normalize('NFC')) {
    if (new TextEncoder().encode((kept + character).normalize('NFC')).length > bytes) break;
    kept += character;
  }
  return /^\.*$/.test(kept) ? 'dots' : kept;
}

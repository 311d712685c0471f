// Power loss on a disk that forgets everything not synced, with only some durable commits.

import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { describe, expect, inject, it } from 'vitest';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';
import { at, contentOf, forgetfulDisk, plan, randomFrom, write } from './test-kit/power.ts';
import type { Model } from './test-kit/power.ts';

/** The possible contents of a name, and the power loss since which they apply. */
interface Promised {
  readonly texts: Set<string>;
  readonly cut: number;
}

const textIn = (model: Model, name: string): string => model.get(name) ?? 'nothing';

/** A commit, with the contents before and after it. */
interface Made {
  readonly before: Model;
  readonly after: Model;
  readonly changes: readonly StorageChange[];
}

/** Names that a commit changes, or removes with a parent and recreates. */
function changedNames({ before, after, changes }: Made): readonly string[] {
  const taken = changes
    .filter(({ type }) => type === 'remove' || type === 'move')
    .map((key) => `${key.tree}:${key.path}`);
  const isTaken = (name: string): boolean => taken.some((each) => name === each || name.startsWith(`${each}/`));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => before.get(name) !== after.get(name) || isTaken(name));
}

/** The directories above a name. */
const above = (name: string): readonly string[] =>
  [...name.matchAll(/(?<=.)\//g)].map(({ index }) => name.slice(0, index)).filter((each) => !each.endsWith(':'));

/** Contents promised by durable commits, until something else is committed there. */
function createPromises() {
  const promises = new Map<string, Promised>();
  return {
    /** A durable commit was acknowledged. */
    make(cut: number, made: Made): void {
      const { after } = made;
      for (const name of changedNames(made)) {
        promises.set(name, { texts: new Set([textIn(after, name)]), cut });
        if (!after.has(name)) continue;
        for (const directory of above(name)) promises.set(directory, { texts: new Set(['directory']), cut });
      }
    },
    /** A commit may have happened: its contents or the promised ones are valid. */
    weaken(cut: number, made: Made): void {
      const { before, after } = made;
      for (const name of changedNames(made)) {
        const promised = promises.get(name);
        // New names carry no promise, and a storage does not know the promises of an earlier one.
        if (promised?.cut === cut && before.has(name)) promised.texts.add(textIn(after, name));
        else promises.delete(name);
      }
    },
    broken: (found: Model): readonly string[] =>
      [...promises].flatMap(([name, { texts }]) =>
        texts.has(textIn(found, name)) ? [] : [`${name} is ${textIn(found, name)}, not ${[...texts].join(' or ')}`],
      ),
    count: () => promises.size,
  };
}

/** Commits on a disk with occasional power loss. Returns promised contents that were lost. */
async function runSchedule(seed: number, hands = (durable: boolean): boolean => durable) {
  const [random, disk, wrong] = [randomFrom(seed), forgetfulDisk(seed % 4 > 0), [] as string[]];
  const open = (): StorageDriver => filesystemStorage('/r', { fs: disk.fs });
  const promises = createPromises();
  let model: Model = new Map();
  let promised = 0;
  for (let cut = 0; cut < 5; cut++) {
    const driver = open();
    const share = random();
    disk.failAfter(Math.floor(random() * 250));
    for (let number = 0; ; number++) {
      const { changes, after } = plan(model, cut * 1000 + number, random);
      const durable = random() < share;
      const commit = { expect: [], changes, time: 0, durable: hands(durable) };
      const result = await driver.commit(commit).catch(() => undefined);
      if (result?.ok === false) continue; // half of the non-durable commits may be lost
      if (durable && result !== undefined) promises.make(cut, { before: model, after, changes });
      else promises.weaken(cut, { before: model, after, changes });
      if (result === undefined) break;
      model = after;
    }
    disk.restart(random);
    // Power may fail again during recovery.
    disk.failAfter(random() < 0.5 ? Math.floor(random() * 12) : Infinity);
    await contentOf(open()).catch(() => {});
    disk.restart(random);
    model = await contentOf(open());
    wrong.push(...promises.broken(model));
    promised += promises.count();
  }
  return { wrong, promised };
}

/** Commits concurrently, some durably, while one moves the directory of the others. Returns what was lost. */
async function runAtOnce(seed: number): Promise<readonly string[]> {
  const [random, disk, wrong] = [randomFrom(seed), forgetfulDisk(true), [] as string[]];
  const driver = filesystemStorage('/r', { fs: disk.fs });
  const make = (durable: boolean, changes: readonly StorageChange[]) =>
    driver.commit({ expect: [], changes, time: 0, durable }).catch(() => undefined);
  const directories = Array.from({ length: 6 }, (_, index) => `/d${index}`);
  await make(
    false,
    directories.map((path) => ({ ...at(path), type: 'make-directory' })),
  );
  disk.failAfter(20 + Math.floor(random() * 120));
  const promised: (readonly [place: string, name: string])[] = [];
  for (const directory of directories) {
    const all: [string, StorageChange[]][] = [
      ['x', [write(at(`${directory}/x`), 'x')]],
      ['', [{ ...at(directory), type: 'move', to: at(directory.replace('d', 'e')) }]],
      ['y', [write(at(`${directory}/y`), 'y')]],
      ['z', [write(at(`${directory}/z`), 'z'), write(at(`${directory}z`), 'z')]],
    ];
    await Promise.all(
      all.map(async ([name, changes]) => {
        const durable = random() < 0.5;
        for (let turns = random() * 40; turns > 0; turns--) await Promise.resolve();
        const result = await make(durable, changes);
        if (durable && result?.ok === true) promised.push([directory, name]);
      }),
    );
  }
  disk.restart(random);
  const found = await contentOf(filesystemStorage('/r', { fs: disk.fs }));
  for (const [directory, name] of promised) {
    const moved = directory.replace('d', 'e');
    const places = name === '' ? [moved] : [`${directory}/${name}`, `${moved}/${name}`];
    if (!places.some((path) => found.get(`files:${path}`) === (name || 'directory')))
      wrong.push(`${directory} ${name}`);
    if (name === 'z' && found.get(`files:${directory}z`) !== 'z') wrong.push(`half of ${directory}`);
  }
  return wrong;
}

/** Two storages in one directory. */
function makers(fs: FileSystem) {
  const maker =
    (driver: StorageDriver) =>
    async (durable: boolean, ...changes: readonly StorageChange[]) => {
      expect(await driver.commit({ expect: [], changes, time: 0, durable })).toMatchObject({ ok: true });
    };
  return { one: maker(filesystemStorage('/r', { fs })), other: maker(filesystemStorage('/r', { fs })) };
}

describe('a loss of power', () => {
  it('leaves every durable commit among others, whatever came before it and after', async () => {
    let all = 0;
    for (let seed = 1; seed <= (inject('isLong') ? 400 : 40); seed++) {
      const { wrong, promised } = await runSchedule(seed);
      expect(wrong, `seed ${seed}`).toEqual([]);
      all += promised;
    }
    expect(all).toBeGreaterThan(1_000);
  });

  it('leaves those that were made at once with others', async () => {
    for (let seed = 1; seed <= (inject('isLong') ? 250 : 30); seed++)
      expect(await runAtOnce(seed), `seed ${seed}`).toEqual([]);
  });

  const directory = (path: string): StorageChange => ({ ...at(path), type: 'make-directory' });
  const move = (from: string, to: string): StorageChange => ({ ...at(from), type: 'move', to: at(to) });

  it.each<[string, (make: ReturnType<typeof makers>) => Promise<unknown>, string]>([
    [
      'was made before it, above it',
      async ({ one }) => {
        await one(true, write(at('/first'), 'text'));
        await one(false, directory('/a'));
        await one(false, directory('/a/b'));
        await one(true, write(at('/a/b/x'), 'text'));
      },
      '/a/b/x',
    ],
    [
      'was moved away and back by another storage',
      async ({ one, other }) => {
        await one(false, directory('/a'));
        await one(true, write(at('/a/w'), 'text'));
        await other(false, move('/a', '/b'));
        await other(false, move('/b', '/a'));
        await one(true, write(at('/a/x'), 'text'));
      },
      '/a/x',
    ],
    [
      'says that a commit before it is over',
      async ({ one }) => {
        await one(true, write(at('/r', 'records'), 'text'));
        await one(false, write(at('/x'), 'before'), write(at('/y'), 'before'));
        await one(true, write(at('/x'), 'text'));
      },
      '/x',
    ],
  ])('leaves a durable commit with what %s', async (_, work, path) => {
    for (let seed = 1; seed <= 60; seed++) {
      const disk = forgetfulDisk(seed % 2 > 0);
      await work(makers(disk.fs));
      disk.restart(randomFrom(seed));
      const found = await contentOf(filesystemStorage('/r', { fs: disk.fs }));
      expect(found.get(`files:${path}`), `seed ${seed}`).toBe('text');
    }
  });

  it('does harm if nobody asks for it: so the disk here would show it', async () => {
    let count = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { wrong } = await runSchedule(seed, () => false).catch(() => ({ wrong: ['lost'] }));
      if (wrong.length > 0) count++;
    }
    expect(count).toBeGreaterThan(10);
  });
});

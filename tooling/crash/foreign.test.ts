// A process that ends in the middle of a commit, then another program that changes one of the files, then somebody who
// opens the project again. `pnpm test:long` tries every call of the disk with every change of every file.

import { cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles, isUtensilError } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { encryptedStorage } from '@utensil/storage-encrypted';
import { filesystemStorage } from '@utensil/storage-filesystem';
import type { FileSystem } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import { overlayStorage } from '@utensil/storage-overlay';
import { versionedStorage } from '@utensil/storage-versioned';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changesOfAbsent, changesOfPresent, contentsIn, directoriesIn } from './foreign-changes.ts';
import { crashAt, prepare, randomFrom } from './interrupted.ts';

const isLong = inject('isLong');

let place: string;
beforeAll(async () => void (place = await mkdtemp(join(tmpdir(), 'utensil-'))));
afterAll(() => rm(place, { recursive: true }));

const key = new Uint8Array(32).fill(7);

/** Settings of a project, over the storage in its directory. */
const wrappers: Readonly<Record<string, (driver: StorageDriver) => StorageDriver>> = {
  'a directory': (driver) => driver,
  'a versioned directory': (driver) => versionedStorage(driver).as({ turn: 'turn' }),
  'a directory with encrypted contents': (driver) => encryptedStorage(driver, key, { names: 'plain' }),
  'an encrypted directory': (driver) => encryptedStorage(driver, key),
  'a directory over another storage': (driver) => overlayStorage(memoryStorage(), driver),
};

interface Scene {
  readonly root: string;
  readonly outside: string;
  /** The contents before the batch. */
  readonly before: ReadonlySet<string>;
}

async function newScene(template: string): Promise<Scene> {
  const directory = await mkdtemp(join(place, 'scene-'));
  const [root, outside] = [join(directory, 'root'), join(directory, 'outside')];
  await cp(template, root, { recursive: true, verbatimSymlinks: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.md'), 'nobody may touch this');
  return { root, outside, before: new Set((await contentsIn(root)).values()) };
}

/** The contents that a person sees. */
async function contentsSeen(root: string): Promise<ReadonlySet<string>> {
  return new Set([...(await contentsIn(root))].filter(([path]) => isOfUser(path)).map(([, content]) => content));
}

const stateOf = async (root: string): Promise<string> => readlink(join(root, '.utensil/state')).catch(() => 'idle');

/** The places in a project that a batch may touch, and possible changes of another program there. */
async function foreignChanges(root: string): Promise<readonly (readonly [string, string])[]> {
  const present = [...(await contentsIn(root)).keys(), ...(await directoriesIn(root))].filter(isOfUser);
  const named = ['kept.md', 'removed.md', 'moved.md', 'd', 'full', 'made', 'made/new.md', 'made/d'];
  const absent = named.filter((each) => !present.includes(each) && (!each.includes('/') || present.includes('made')));
  return [
    ...present.flatMap((each) => Object.keys(changesOfPresent).map((name) => [each, name] as const)),
    ...absent.flatMap((each) => Object.keys(changesOfAbsent).map((name) => [each, name] as const)),
  ];
}

const isOfUser = (path: string): boolean => !path.startsWith('.utensil');

const text = 'what the other program wrote';

async function changeForeign({ root, outside }: Scene, [path, name]: readonly [string, string]): Promise<void> {
  const does = changesOfPresent[name] ?? changesOfAbsent[name];
  await does?.({ place: join(root, path), text, outside });
}

/** A project's whole content can be read, or is refused with one of our errors. */
async function expectReadable(driver: StorageDriver): Promise<void> {
  const files = createFiles(driver);
  const { entries } = await files.list('/', { depth: 9 });
  for (const entry of entries) {
    if (entry.kind !== 'file') continue;
    await files.read(entry.path).catch((error: unknown) => {
      if (!isUtensilError(error)) throw error;
    });
  }
  for (const entry of await driver.list({ tree: 'records', path: '/', depth: 9, limit: 1000 }))
    await driver.stat([entry]);
}

async function expectWritable(driver: StorageDriver): Promise<void> {
  const files = createFiles(driver);
  await files.batch(async (all) => {
    await all.write('/after/one.md', 'one');
    await all.write('/after/two.md', 'two');
  });
  expect((await files.readText('/after/one.md')).text).toBe('one');
}

async function expectUnharmed(scene: Scene, isActive: boolean, held: ReadonlySet<string>): Promise<void> {
  const { root, outside } = scene;
  expect([...(await contentsIn(outside)).keys()]).toEqual(['secret.md']);
  expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('nobody may touch this');
  // Staged content is swept away by the next process.
  const kept = [...(await contentsIn(root))].filter(([path]) => !path.startsWith('.utensil/tmp'));
  const after = new Set(kept.map(([, content]) => content));
  if (isActive) expect([...held].filter((each) => !after.has(each))).toEqual([]);
}

/** All texts that the other program has written into files of the project, in their places. */
async function mine(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of (await contentsIn(root)).keys()) {
    if (isOfUser(path) && (await readFile(join(root, path), 'latin1')).includes(text)) found.push(path);
  }
  return found;
}

type Wrap = (driver: StorageDriver) => StorageDriver;
type ForeignPlace = readonly [path: string, name: string];

/** One crash and one change; gives whether the crash left a commit to be undone, or undefined if there is no such change. */
async function runScene(
  template: string,
  wrap: Wrap,
  { end, pick }: { readonly end: number; pick(all: readonly ForeignPlace[]): ForeignPlace | undefined },
): Promise<'active' | 'idle' | undefined> {
  const scene = await newScene(template);
  const { root } = scene;
  const open = (fs?: FileSystem): StorageDriver => wrap(filesystemStorage(root, fs && { fs }));
  await crashAt(root, open, end);
  const foreign = pick(await foreignChanges(root));
  if (foreign === undefined) return undefined;
  const isActive = !(await stateOf(root)).startsWith('idle');
  const seen = await contentsSeen(root);
  await changeForeign(scene, foreign);
  const left = await contentsSeen(root);
  const isTaken = (each: string): boolean => seen.has(each) && !left.has(each); // content that the other program removed may be lost
  const onDisk = new Set((await contentsIn(root)).values());
  const held = new Set([...scene.before].filter((each) => onDisk.has(each) && !isTaken(each)));
  const own = await mine(root);
  try {
    const driver = open();
    await expectReadable(driver);
    await expectUnharmed(scene, isActive, held);
    await expectWritable(driver);
    expect((await mine(root)).length, 'what the other program wrote').toBe(own.length);
    expect((await stateOf(root)).startsWith('idle')).toBe(true);
  } catch (error) {
    throw new Error(`ended after ${end} calls, then another program: ${foreign.join(', ')}`, { cause: error });
  }
  await rm(join(root, '..'), { recursive: true });
  return isActive ? 'active' : 'idle';
}

/** Scenes at some calls, each with one of the changes. */
async function runSome(template: string, wrap: Wrap, calls: number): Promise<number> {
  const random = randomFrom(1);
  let active = 0;
  for (let scene = 0; scene < 6; scene++) {
    const end = Math.ceil(random() * calls);
    const pick = (all: readonly ForeignPlace[]) => all[Math.floor(random() * all.length)];
    if ((await runScene(template, wrap, { end, pick })) === 'active') active++;
  }
  return active;
}

/** Scenes at all calls, each with all of the changes. */
async function runAll(template: string, wrap: Wrap, calls: number): Promise<number> {
  const counts = { active: 0, idle: 0 };
  for (let end = 1; end <= calls; end++) {
    for (let index = 0; ; index++) {
      const outcome = await runScene(template, wrap, { end, pick: (all) => all[index] });
      if (outcome === undefined) break;
      counts[outcome]++;
    }
  }
  console.log(`${counts.active} interrupted commits, ${counts.idle} others, at ${calls} calls`);
  return counts.active;
}

describe('a project that another program has changed after a crash', () => {
  it.each(Object.entries(wrappers))('opens, with nothing overwritten and nothing lost: %s', async (name, wrap) => {
    const template = join(place, name);
    await prepare(createFiles(wrap(filesystemStorage(template))));
    const { root } = await newScene(template);
    const calls = await crashAt(root, (fs) => wrap(filesystemStorage(root, { fs })), Infinity);
    const run = isLong ? runAll : runSome;
    expect(await run(template, wrap, calls)).toBeGreaterThan(isLong ? 5 : 0);
  });
});

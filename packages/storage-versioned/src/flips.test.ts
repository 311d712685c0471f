// Single bits of the stored data flip, as on an old disk. Only the file they belong to may be lost.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { createFiles, isUtensilError } from '@utensil/core';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { versionedStorage } from './versioned.ts';
import type { History } from './history.ts';

const flips = inject('isLong') ? 120 : 40; // several in each stored file
const turns = ['writes', 'removes', 'moves'] as const;
let base: string;
let template: string;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'utensil-flips-'));
  template = join(base, 'template');
  const storage = versionedStorage(filesystemStorage(template));
  const [files, writes, removes, moves] = [{}, ...turns.map((turn) => ({ actor: 'ann', turn }))].map((author) =>
    createFiles(storage.as(author)),
  ) as [
    ReturnType<typeof createFiles>,
    ReturnType<typeof createFiles>,
    ReturnType<typeof createFiles>,
    ReturnType<typeof createFiles>,
  ];
  for (const path of ['/w/one', '/removed', '/gone/one', '/gone/two', '/m/one', '/kept']) {
    for (const text of ['first', 'second']) await files.write(path, `${text} text of ${path}`);
  }
  await writes.write('/w/one', 'by the turn');
  await writes.write('/w/new', 'by the turn');
  await removes.remove('/removed');
  await removes.remove('/gone', { recursive: true });
  await moves.move('/m', '/n');
  await moves.write('/n/one', 'by the turn');
});
afterAll(() => rmSync(base, { recursive: true }));

/** Files in the two trees of the storage. */
function storedFiles(): readonly string[] {
  const all = readdirSync(template, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => relative(template, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const own = paths.filter((path) => !path.startsWith('.utensil/') || path.startsWith('.utensil/records/'));
  return own.filter((path) => statSync(join(template, path)).size > 0).sort();
}

/** Observed state by subject; an error is represented by its code. */
type Report = Readonly<Record<string, unknown>>;

async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    return error.code;
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function versionsOf(history: History, path: string): Promise<unknown> {
  const versions = await history.versions(path);
  return Promise.all(
    versions.map(async ({ number, author }) => [author, textOf((await history.read(path, number)).bytes)]),
  );
}

/** Restores the whole trash (elsewhere), or undoes all turns; then reads everything. */
async function reportOn(root: string, isUndone: boolean): Promise<Report> {
  const { history, ...storage } = versionedStorage(filesystemStorage(root));
  const files = createFiles(storage);
  const report: Record<string, unknown> = {};
  if (isUndone) for (const turn of turns) report[turn] = await attempt(() => history.undo(turn));
  for (const { id, kind } of isUndone ? [] : await history.trash()) {
    report[`trash ${kind}`] = await attempt(async () => (await history.restore(id, { to: `/back/${kind}` })).kind);
  }
  for (const { path, kind } of (await files.list('/', { depth: 9 })).entries) {
    report[path] = kind === 'file' ? await attempt(() => versionsOf(history, path)) : kind;
  }
  await storage.close();
  return report;
}

/** Possible effects of a flip in a file: on the same file, and on other changes of the same turn. */
const affected: readonly (readonly [stored: RegExp, about: RegExp])[] = [
  [/^w\/|\/f\/w\/|turns\/writes\//, /^\/w|^writes$/],
  [/\/trash\/|turns\/removes\//, /^\/back|^\/gone|^\/removed$|^removes$/],
  [/^n\/|\/f\/n\/|turns\/moves\//, /^\/[nm]|^moves$/],
  [/^kept$|\/f\/kept\//, /^\/kept$/],
];

/** Numbers with the same sequence in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it(`loses only the file that each of ${flips} flipped bits belongs to`, async () => {
  const stored = storedFiles();
  expect(stored.length).toBeGreaterThan(15);
  const random = createRandom(7);
  const sound = { true: await reportOnCopy(true), false: await reportOnCopy(false) };
  expect(sound.true).toMatchObject({ writes: undefined, removes: undefined, moves: undefined });
  for (let flip = 0; flip < flips; flip++) {
    const file = stored[flip % stored.length] ?? '';
    const root = join(base, `copy ${flip}`);
    cpSync(template, root, { recursive: true, verbatimSymlinks: true });
    const content = readFileSync(join(root, file));
    const isUndone = random(2) === 1;
    const [at, bit] = [random(content.length), random(8)];
    content[at] = (content[at] ?? 0) ^ (1 << bit);
    writeFileSync(join(root, file), content);
    const report = await reportOn(root, isUndone);
    const [, about] = affected.find(([pattern]) => pattern.test(file)) ?? [];
    const rest = (all: Report) => Object.entries(all).filter(([what]) => about?.test(what) !== true);
    const flipped = `bit ${bit} of byte ${at} of ${file}`;
    expect({ flipped, report: rest(report) }).toEqual({ flipped, report: rest(sound[`${isUndone}`]) });
    const restored = isUndone ? {} : { 'trash file': 'file', 'trash directory': 'directory' };
    expect(report).toMatchObject(restored);
    rmSync(root, { recursive: true });
  }
});

async function reportOnCopy(isUndone: boolean): Promise<Report> {
  const root = join(base, 'sound');
  cpSync(template, root, { recursive: true, verbatimSymlinks: true });
  const report = await reportOn(root, isUndone);
  rmSync(root, { recursive: true });
  return report;
}

// Single bits of the stored data flip, as on an old disk. Only the file they belong to may be lost.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { createFiles, isUtensilError } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

const flips = inject('isLong') ? 120 : 40; // several in each stored file
let base: string;
let template: string;

const open = (root: string) => {
  const lower = filesystemStorage(join(root, 'lower'));
  return { lower, overlay: overlayStorage(lower, filesystemStorage(join(root, 'upper'))) };
};

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'utensil-flips-'));
  template = join(base, 'template');
  const { lower, overlay } = open(template);
  const paths = ['/changed', '/d/one', '/d/two', '/removed', '/moved/one', '/moved/two', '/kept'];
  for (const path of paths) await createFiles(lower).write(path, `text of ${path}`);
  const files = createFiles(overlay);
  await files.write('/changed', 'staged');
  await files.remove('/removed');
  await files.move('/moved', '/elsewhere');
  await files.write('/d/one', 'staged');
  await files.remove('/d', { recursive: true });
  await files.write('/d/new', 'staged');
  await files.write('/new', 'staged');
});
afterAll(() => rmSync(base, { recursive: true }));

/** Files in the two trees of the upper storage. */
function storedFiles(): readonly string[] {
  const all = readdirSync(join(template, 'upper'), { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(template, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const own = paths.filter((path) => !path.includes('/.utensil/') || path.includes('/.utensil/records/'));
  return own.filter((path) => statSync(join(template, path)).size > 0).sort();
}

async function textsIn(driver: StorageDriver): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  const files = createFiles(driver);
  for (const { path, kind } of (await files.list('/', { depth: 9 })).entries) {
    texts[path] = kind === 'file' ? new TextDecoder().decode((await files.read(path)).bytes) : kind;
  }
  return texts;
}

/** All texts except that of one path. */
function without(path: string | undefined, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([each]) => each !== path));
}

/** Creates a generator with the same sequence in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it(`loses only the file that each of ${flips} flipped bits belongs to`, async () => {
  const stored = storedFiles();
  expect(stored.length).toBeGreaterThan(7);
  const random = createRandom(11);
  const [below, staged] = [await textsIn(open(template).lower), await textsIn(open(template).overlay)];
  for (let flip = 0; flip < flips; flip++) {
    const file = stored[flip % stored.length] ?? '';
    const root = join(base, `copy ${flip}`);
    cpSync(template, root, { recursive: true, verbatimSymlinks: true });
    const content = readFileSync(join(root, file));
    const [at, bit] = [random(content.length), random(8)];
    content[at] = (content[at] ?? 0) ^ (1 << bit);
    writeFileSync(join(root, file), content);
    const own = file.includes('/.utensil/') ? undefined : file.slice('upper'.length);
    const isCut = file.includes('/.overlay/files/');
    const then = without(own, isCut ? below : { ...staged, '/later': 'later' });
    const expected = { seen: without(own, staged), accepted: isCut ? 'refused' : 'accepted', below: then, left: then };
    expect({ file, ...(await useDamaged(root, own)) }).toEqual({ file, ...expected });
    rmSync(root, { recursive: true });
  }
});

/** Contents of a damaged overlay, the result of accepting it, and the contents after discarding it. */
async function useDamaged(root: string, own: string | undefined) {
  const { lower, overlay } = open(root);
  const seen = without(own, await textsIn(overlay));
  await createFiles(overlay).write('/later', 'later');
  const outcome: unknown = await overlay.accept({ time: 1 }).catch((thrown: unknown) => thrown);
  const isAccepted = typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok === true;
  const accepted = isUtensilError(outcome, 'EIO') ? 'refused' : isAccepted ? 'accepted' : outcome;
  const below = without(own, await textsIn(lower));
  await overlay.discard({ time: 1 });
  return { seen, accepted, below, left: without(own, await textsIn(overlay)) };
}

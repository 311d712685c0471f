// One bit of a project that flips after a crash: in a file, a record, a journal, a lock or a note. The storages around
// this one have tests of their own.

import { lstat, mkdtemp, readFile, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles, createRecords, isUtensilError } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { crashAt, prepare, randomFrom } from './interrupted.ts';

let place: string;
beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), 'utensil-'))));
afterEach(() => rm(place, { recursive: true }));

/** Flips a bit of a file, or of the target of a link: the storage's notes are links. */
async function flip(path: string, random: () => number): Promise<void> {
  const isLink = (await lstat(path)).isSymbolicLink();
  const content = isLink ? Buffer.from(await readlink(path)) : await readFile(path);
  const at = Math.floor(random() * content.length);
  content[at] = (content[at] ?? 0) ^ (1 << Math.floor(random() * (isLink ? 7 : 8)));
  if (!isLink) return writeFile(path, content);
  await unlink(path);
  await symlink(content.toString('latin1').replaceAll('\0', '0') || '0', path);
}

/** Every file and link of a project, as paths from its root. */
async function placesIn(root: string): Promise<readonly string[]> {
  const children = await readdir(root, { withFileTypes: true, recursive: true });
  const places = children.filter((child) => !child.isDirectory()).map((child) => join(child.parentPath, child.name));
  return places.map((path) => path.slice(root.length)).sort();
}

/** The texts of files; of one that cannot be read, the code of the error. */
async function textsOf(files: ProjectFiles): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, kind } of (await files.list('/', { depth: 9 })).entries) {
    if (kind !== 'file') continue;
    const text = files.readText(path).then(({ text: found }) => found);
    texts.set(path, await text.catch((error: unknown) => (isUtensilError(error) ? error.code : 'not ours')));
  }
  return texts;
}

it('loses only what was damaged, whichever bit of a project flips after a crash', async () => {
  const random = randomFrom(3);
  const known = ['first text of kept', 'second text of kept', 'of removed', 'of moved', 'inside d', 'of leaf'];
  const flipped = new Set<string>();
  for (let round = 0; round < (inject('isLong') ? 300 : 40); round++) {
    const root = join(place, `${round}`);
    const driver = filesystemStorage(root, { lockTimeoutMs: 200 });
    await prepare(createFiles(driver));
    const records = createRecords(driver);
    for (const id of ['a', 'b', 'c']) await records.append(['log'], { id });
    await crashAt(root, (fs) => filesystemStorage(root, { fs }), 12 + Math.floor(random() * 40));
    const places = await placesIn(root);
    const damaged = places[Math.floor(random() * places.length)] ?? '';
    if ((await lstat(join(root, damaged))).size === 0) continue;
    await flip(join(root, damaged), random);
    flipped.add(damaged.replaceAll(/[0-9a-f]{12}\S*/g, '*'));

    const opened = filesystemStorage(root, { lockTimeoutMs: 200 });
    const files = createFiles(opened);
    for (const [path, text] of await textsOf(files)) {
      const isKnown = known.some((each) => text.includes(each)) || ['a new text', 'a file now'].includes(text);
      const isDamaged = damaged.endsWith(path) || damaged.includes('/tmp/'); // recovery moves `/made/d` back to `/d`
      expect(isKnown || isDamaged, `${round}: ${damaged} ${path} ${text}`).toBe(true);
      expect(text).not.toBe('not ours');
    }
    const log: string[] = [];
    for await (const record of createRecords(opened).list(['log'])) log.push('problem' in record ? '-' : 'ok');
    expect(log.filter((each) => each === 'ok').length).toBeGreaterThanOrEqual(damaged.includes('/log/') ? 2 : 3);
    await files.batch(async (all) => {
      await all.write('/after/one.md', 'one');
      await all.write('/after/two.md', 'two');
    });
    await rm(root, { recursive: true });
  }
  expect(flipped.size).toBeGreaterThan(inject('isLong') ? 12 : 8);
});

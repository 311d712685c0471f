// Single bits flip in the data of an encrypted storage on a real disk. Only the affected entry may be lost.

import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles, createRecords, isUtensilError, openThread } from '@utensil/core';
import { foldCase, isWithin, joinPath } from '@utensil/core/files';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { chunkBytes } from './content.ts';
import { openHeader } from './copies.ts';
import { allBelow, key } from './test-kit/damage.ts';
import { encryptedStorage } from './encrypted.ts';
import type { NamesPolicy } from './header.ts';
import { encryptedNames, plainNames } from './names.ts';
import { placeOf, textOf } from './place.ts';

const root = await mkdtemp(join(tmpdir(), 'utensil-flips-'));
afterAll(() => rm(root, { recursive: true }));

const open = (place: string): StorageDriver => encryptedStorage(filesystemStorage(place), key);

/** Role of a file on the disk for an entry. */
interface Part extends EntryKey {
  readonly role: 'content' | 'directory' | 'marker' | 'side' | 'header';
}

/** A storage on the disk, its contents, and the role of each path on the disk. */
interface Sample {
  readonly place: string;
  /** By {@link textOf}: the content, or null for a directory. */
  readonly contents: ReadonlyMap<string, string | null>;
  readonly parts: ReadonlyMap<string, Part>;
}

let places = 0;

async function makeSample(names: NamesPolicy): Promise<Sample> {
  const place = join(root, `${names}-${places++}`);
  const driver = encryptedStorage(filesystemStorage(place), key, { names });
  const files = createFiles(driver);
  await files.write('/a.md', 'short');
  await files.write('/empty', '');
  await files.write('/d/e/deep.md', 'deep');
  await files.write(`/d/${'n'.repeat(150)}`, 'with a long name');
  await files.write(`/${'d'.repeat(140)}/in it`, 'in a directory with a long name');
  await files.write('/large', 'x'.repeat(chunkBytes + 10));
  const records = createRecords(driver);
  await records.put(['settings', 'p'], { version: 1 });
  for (const id of ['1', '2']) {
    const parts = [{ type: 'text', text: `Message ${id}` }] as const;
    await openThread(records, 't').append([{ type: 'message', message: { id, role: 'user', parts, createdAt: 1 } }]);
  }
  const contents = await contentsOf(driver);
  return { place, contents, parts: await partsOf(place, [...contents.keys()]) };
}

const keyOf = (text: string): EntryKey => ({
  tree: text.startsWith('files:') ? 'files' : 'records',
  path: text.slice(text.indexOf(':') + 1),
});

async function partsOf(place: string, texts: readonly string[]): Promise<ReadonlyMap<string, Part>> {
  const opened = await openHeader(filesystemStorage(place), { key, names: undefined });
  if (opened === undefined) throw new Error('There is no header.');
  const names = opened.names === 'plain' ? plainNames : encryptedNames(opened.keys);
  const parts = new Map<string, Part>();
  for (const each of texts.map(keyOf)) {
    const { stored, marker, side } = await placeOf(names, each);
    for (const [role, at] of Object.entries({ content: stored, marker, side }))
      if (at !== undefined) parts.set(onDisk(at), { ...each, role: role as Part['role'] });
  }
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(place.length);
    const part = parts.get(path);
    if (part !== undefined && entry.isDirectory()) parts.set(path, { ...part, role: 'directory' });
    const isOwn = path === '/.utensil' || (path.startsWith('/.utensil/') && !path.startsWith('/.utensil/records/'));
    if (part === undefined && !isOwn) parts.set(path, { tree: 'records', path: '/', role: 'header' });
  }
  return parts;
}

function onDisk({ tree, path }: EntryKey): string {
  return tree === 'files' ? path : joinPath('/.utensil/records', path.slice(1));
}

/** Contents at keys, by default of all listed entries; an unreadable one is represented by its error code. */
async function contentsOf(driver: StorageDriver, texts?: Iterable<string>): Promise<Map<string, string | null>> {
  const contents = [...(texts ?? (await listedIn(driver)))].map(
    async (text) => [text, await contentAt(driver, keyOf(text))] as const,
  );
  return new Map(await Promise.all(contents));
}

async function contentAt(driver: StorageDriver, at: EntryKey): Promise<string | null> {
  try {
    const found = await driver.read(at);
    return found === undefined ? null : new TextDecoder().decode(found.content);
  } catch (error) {
    return isUtensilError(error) ? error.code : `no UtensilError: ${String(error)}`;
  }
}

/** Numbers below one, the same each time (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 2 ** 32) % below;
  };
}

const isBelow = ({ tree, path }: EntryKey, text: string): boolean =>
  keyOf(text).tree === tree && isWithin(path, keyOf(text).path);

const listedIn = async (driver: StorageDriver): Promise<readonly string[]> => (await allBelow(driver)).map(textOf);

describe.each(['encrypted', 'plain'] as const)('with %s names', (names) => {
  it('a flipped bit in a file costs that content, or the name that was in it, and nothing else', async () => {
    const { place, contents, parts } = await makeSample(names);
    const stored = [...parts].filter(([, { role }]) => role !== 'directory');
    expect(stored.filter(([, { role }]) => role === 'header')).toHaveLength(2);
    const random = createRandom(names.length);
    for (let flip = 0; flip < (inject('isLong') ? 140 : stored.length); flip++) {
      const [path, part] = stored[flip < stored.length ? flip : random(stored.length)] ?? ['', undefined];
      if (part === undefined) throw new Error('There is nothing to flip.');
      const good = await readFile(place + path);
      if (good.length === 0) continue;
      const [index, bit] = [random(good.length), random(8)];
      await writeFile(
        place + path,
        good.map((byte, each) => (each === index ? byte ^ (1 << bit) : byte)),
      );

      const driver = open(place);
      const lost = part.role === 'side' ? [...contents.keys()].filter((text) => isBelow(part, text)) : [];
      const expected = new Map(contents);
      if (part.role === 'content') expected.set(textOf(part), 'content_damaged');
      const what = `${flip}: bit ${bit} of byte ${index} of the ${part.role} of ${textOf(part)}`;
      const left = [...contents.keys()].filter((text) => !lost.includes(text));
      expect([what, await listedIn(driver)]).toEqual([what, left]);
      expect([what, await contentsOf(driver, contents.keys())]).toEqual([what, expected]);
      await writeFile(place + path, good);
    }
    expect(await contentsOf(open(place))).toEqual(contents);
  });

  it('a flipped bit in a name costs what was called so, and that can be written again', async () => {
    const { place, contents, parts } = await makeSample(names);
    const stored = [...parts];
    const random = createRandom(names.length + 1);
    for (let flip = 0; flip < (inject('isLong') ? 50 : stored.length); flip++) {
      const [path, part] = stored[flip < stored.length ? flip : random(stored.length)] ?? ['', undefined];
      const to = part && flippedName(path, random);
      if (part === undefined || to === undefined) continue;
      await rename(place + path, place + to);

      const driver = open(place);
      const what = `${flip}: '${to}', the ${part.role} of ${textOf(part)}`;
      const isEntry = part.role === 'content' || part.role === 'directory';
      const lost = [...contents.keys()].filter((text) => (isEntry || part.role === 'side') && isBelow(part, text));
      const listed = await listedIn(driver);
      expect([what, [...contents.keys()].filter((text) => !listed.includes(text))]).toEqual([what, lost]);
      for (const [text, content] of contents) {
        const expected = isEntry && lost.includes(text) ? null : content;
        expect([what, text, await contentAt(driver, keyOf(text))]).toEqual([what, text, expected]);
      }
      const isTwin = names === 'plain' && foldCase(to) === foldCase(path); // keeps the other spelling from being written
      if (flip % 6 === 0 && !isTwin) await writesAgain({ place, contents, what });
      await rename(place + to, place + path);
    }
    expect(await contentsOf(open(place))).toEqual(contents);
  });
});

/** The path with a flipped bit in its last name; undefined if no disk allows such a name. */
function flippedName(path: string, random: (below: number) => number): string | undefined {
  const start = path.lastIndexOf('/') + 1;
  const [index, bit] = [start + random(path.length - start), random(7)];
  const flipped = String.fromCharCode(path.charCodeAt(index) ^ (1 << bit));
  return flipped === '/' || flipped === '\0' ? undefined : path.slice(0, index) + flipped + path.slice(index + 1);
}

/** In a copy of the storage, all files can be rewritten with their original contents. */
async function writesAgain({
  place,
  contents,
  what,
}: Omit<Sample, 'parts'> & { readonly what: string }): Promise<void> {
  const copy = join(root, 'copy');
  await cp(place, copy, { recursive: true });
  const files = createFiles(open(copy));
  for (const [text, content] of contents) {
    const { tree, path } = keyOf(text);
    if (tree === 'files' && content !== null) await files.write(path, content);
  }
  const after = await contentsOf(open(copy), contents.keys());
  const written = [...contents].filter(([text]) => keyOf(text).tree === 'files');
  expect([what, ...written.map(([text]) => after.get(text))]).toEqual([what, ...written.map(([, content]) => content)]);
  await rm(copy, { recursive: true });
}

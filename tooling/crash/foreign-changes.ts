// Changes that another program may make in a folder shared with a storage.

import { appendFile, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** A location in the folder, with a function that leaves a foreign entry there. */
export interface ForeignChange {
  /** The changed file or directory, as a host path. */
  readonly place: string;
  /** Written text, recognizable later. */
  readonly text: string;
  /** A directory outside that must not be written to through a link. */
  readonly outside: string;
}

const isDirectory = async (place: string): Promise<boolean> => (await lstat(place)).isDirectory();

/** Changes of an existing entry, by description. */
export const changesOfPresent: Readonly<Record<string, (change: ForeignChange) => Promise<void>>> = {
  'removes it': async ({ place }) => rm(place, { recursive: true }),
  'edits it': async ({ place, text }) => {
    if (await isDirectory(place)) await writeFile(join(place, 'mine.txt'), text);
    else await appendFile(place, text);
  },
  'replaces it': async ({ place, text }) => {
    const spare = join(dirname(place), 'spare~');
    await writeFile(spare, text);
    if (await isDirectory(place)) await rm(place, { recursive: true });
    await rename(spare, place);
  },
  'puts a directory in its place': async ({ place, text }) => {
    await rm(place, { recursive: true });
    await mkdir(place);
    await writeFile(join(place, 'mine.txt'), text);
  },
  'moves it away': async ({ place }) => rename(place, `${place} of mine`),
  'puts a link to itself in its place': async ({ place }) => {
    await rm(place, { recursive: true });
    await symlink(basename(place), place);
  },
  'puts a pipe in its place': async ({ place }) => {
    await rm(place, { recursive: true });
    execFileSync('mkfifo', [place]);
  },
  'puts a link in its place': async ({ place, outside }) => {
    await rm(place, { recursive: true });
    await symlink(outside, place);
  },
};

/** Changes of a path without an entry, by description. */
export const changesOfAbsent: Readonly<Record<string, (change: ForeignChange) => Promise<void>>> = {
  'makes a file': async ({ place, text }) => writeFile(place, text),
  'makes a directory': async ({ place, text }) => {
    await mkdir(place);
    await writeFile(join(place, 'mine.txt'), text);
  },
  'makes a link': async ({ place, outside }) => symlink(outside, place),
};

/** Files below a directory: relative paths with identifiers of their contents. Does not follow links. */
export async function contentsIn(directory: string, from = ''): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const child of await readdir(join(directory, from), { withFileTypes: true })) {
    const path = join(from, child.name);
    if (child.isDirectory()) for (const each of await contentsIn(directory, path)) contents.set(...each);
    if (!child.isFile()) continue;
    const content = await readFile(join(directory, path));
    contents.set(path, createHash('sha256').update(content).digest('hex'));
  }
  return contents;
}

/** Directories below a directory, as relative paths. */
export async function directoriesIn(directory: string, from = ''): Promise<readonly string[]> {
  const found: string[] = [];
  for (const child of await readdir(join(directory, from), { withFileTypes: true })) {
    if (!child.isDirectory()) continue;
    const path = join(from, child.name);
    found.push(path, ...(await directoriesIn(directory, path)));
  }
  return found;
}

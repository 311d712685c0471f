// What another program may do in a folder that it shares with a storage.

import { appendFile, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** A place in the folder, and how to leave something of one's own there. */
export interface ForeignChange {
  /** The file or directory that is changed, as a path of the machine. */
  readonly place: string;
  /** What is written, so that it can be found again. */
  readonly text: string;
  /** A directory that nobody may write to through a link. */
  readonly outside: string;
}

const isDirectory = async (place: string): Promise<boolean> => (await lstat(place)).isDirectory();

/** By what it does to a place where something is. */
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

/** By what it does to a place where nothing is. */
export const changesOfAbsent: Readonly<Record<string, (change: ForeignChange) => Promise<void>>> = {
  'makes a file': async ({ place, text }) => writeFile(place, text),
  'makes a directory': async ({ place, text }) => {
    await mkdir(place);
    await writeFile(join(place, 'mine.txt'), text);
  },
  'makes a link': async ({ place, outside }) => symlink(outside, place),
};

/** Every file below a directory: its path from there, and what identifies its content. Follows no link. */
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

/** The directories below a directory, from there. */
export async function directoriesIn(directory: string, from = ''): Promise<readonly string[]> {
  const found: string[] = [];
  for (const child of await readdir(join(directory, from), { withFileTypes: true })) {
    if (!child.isDirectory()) continue;
    const path = join(from, child.name);
    found.push(path, ...(await directoriesIn(directory, path)));
  }
  return found;
}

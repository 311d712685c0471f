// The members of the workspace: the packages, the apps, and the tooling with the packages in it.

import { existsSync, globSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

export interface Member {
  /** From the root, with slashes. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every member, sorted by folder. */
export function readMembers(root: string): Member[] {
  const folders = findFiles(root, '{packages,apps,tooling,tooling/fixtures}/*/package.json').map(dirname);
  if (folders.length === 0) throw new Error(`There are no packages in ${root}.`);
  const members = folders.map((folder) => ({ folder, manifest: withEntries(readManifest(join(root, folder))) }));
  if (existsSync(join(root, 'package.json'))) members.push({ folder: 'tooling', manifest: readManifest(root) });
  return members;
}

/** `exports` as a record, also where a package has but one entry and says only where that is. */
function withEntries({ exports = {}, ...manifest }: Manifest): Manifest {
  return { ...manifest, exports: typeof exports === 'string' ? { '.': exports } : exports };
}

/** The files that match, without what is installed or built: sorted, from `root`, with slashes. */
export function findFiles(root: string, ...patterns: readonly string[]): string[] {
  const skip = ['node_modules', 'dist', '.doctest', '.turbo', '.results'];
  return globSync(patterns, { cwd: root, exclude: skip.map((name) => `**/${name}`) })
    .map((path) => path.split(sep).join('/'))
    .sort();
}

export function isPublished({ folder, manifest }: Member): boolean {
  return folder.startsWith('packages/') && manifest.private !== true;
}

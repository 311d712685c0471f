// Members of the workspace: packages, apps, and the tooling with its packages.

import { existsSync, globSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

export interface Member {
  /** Relative to the root, with slashes. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All members, sorted by folder. */
export function readMembers(root: string): Member[] {
  const folders = findFiles(root, '{packages,apps,tooling,tooling/fixtures}/*/package.json').map(dirname);
  if (folders.length === 0) throw new Error(`There are no packages in ${root}.`);
  const members = folders.map((folder) => ({ folder, manifest: withEntries(readManifest(join(root, folder))) }));
  if (existsSync(join(root, 'package.json'))) members.push({ folder: 'tooling', manifest: readManifest(root) });
  return members;
}

/** `exports` as a record, also if a package has a single entry and gives only its path. */
function withEntries({ exports = {}, ...manifest }: Manifest): Manifest {
  return { ...manifest, exports: typeof exports === 'string' ? { '.': exports } : exports };
}

/** Matching files, except installed and built ones: sorted, relative to `root`, with slashes. */
export function findFiles(root: string, ...patterns: readonly string[]): string[] {
  const skip = ['node_modules', 'dist', '.doctest', '.turbo', '.results'];
  return globSync(patterns, { cwd: root, exclude: skip.map((name) => `**/${name}`) })
    .map((path) => path.split(sep).join('/'))
    .sort();
}

export function isPublished({ folder, manifest }: Member): boolean {
  return folder.startsWith('packages/') && manifest.private !== true;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFiles, type Member } from '../workspace/members.ts';
import { type Import, readImports } from './imports.ts';
import { type Layer, layerOf } from './layers.ts';

/** A module with the facts that rules need. */
export interface Source {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly isTest: boolean;
  readonly member: Member;
  readonly layer: Layer;
  readonly imports: readonly Import[];
}

export function readSources(root: string, member: Member): Source[] {
  const layer = layerOf(member.folder);
  if (layer === undefined) throw new Error(`${member.folder} is in no layer: add it to tooling/boundaries/layers.ts`);
  return pathsOf(root, member.folder).map((path) => ({
    path,
    isTest: /\.test(?:-d)?\.tsx?$|\/src\/test-kit\//.test(path), // test kits are not published
    member,
    layer,
    imports: readImports(path, readFileSync(join(root, path), 'utf8')),
  }));
}

/** The tooling has no source folder, and contains packages. */
function pathsOf(root: string, folder: string): string[] {
  if (!folder.startsWith('tooling')) return findFiles(root, `${folder}/src/**/*.{ts,tsx}`);
  const paths = findFiles(root, `${folder}/**/*.{ts,mjs}`);
  return folder === 'tooling' ? paths.filter((path) => !isOfPackage(root, path)) : paths;
}

function isOfPackage(root: string, path: string): boolean {
  const folder = dirname(path);
  return folder !== 'tooling' && (existsSync(join(root, folder, 'package.json')) || isOfPackage(root, folder));
}

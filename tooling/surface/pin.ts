// The public surface as lines of text, which surface.txt holds: a change of it is a change of that file.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceCondition } from '../manifest.ts';
import { isPublished, type Member, readMembers } from '../members.ts';
import { readExports } from './exports.ts';

/** Sorted lines: each package, what it depends on, what each of its entries exports, and the error codes of core. */
export async function readSurface(root: string): Promise<string[]> {
  const packages = readMembers(root).filter(isPublished);
  if (packages.length === 0) throw new Error(`There are no published packages in ${root}.`);
  const lines = packages.flatMap((member) => linesOf(root, member));
  return [...lines, ...(await readErrorCodes(root))].sort();
}

function linesOf(root: string, { folder, manifest }: Member): string[] {
  const { name, dependencies = {}, peerDependencies = {}, exports = {} } = manifest;
  const entries = Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [`${name} file ${entry}`];
    const source = target[sourceCondition];
    if (source === undefined) throw new Error(`${folder}/package.json: ${entry} has no "${sourceCondition}".`);
    return readExports(join(root, folder, source)).map((line) => `${join(name, entry)} ${line}`);
  });
  return [
    `${name} package`,
    ...Object.keys(dependencies).map((dependency) => `${name} dependency ${dependency}`),
    ...Object.keys(peerDependencies).map((peer) => `${name} peer ${peer}`),
    ...entries,
  ];
}

async function readErrorCodes(root: string): Promise<string[]> {
  const path = join(root, 'packages/core/src/base/errors.ts');
  if (!existsSync(path)) throw new Error(`The error codes are not in ${path}.`);
  const { errorCodes } = (await import(pathToFileURL(path).href)) as { readonly errorCodes?: readonly string[] };
  if (errorCodes === undefined || errorCodes.length === 0) throw new Error(`${path} exports no errorCodes.`);
  return errorCodes.map((code) => `error ${code}`);
}

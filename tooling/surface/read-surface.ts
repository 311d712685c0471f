// The public surface as texts, stored in pins/: a change of the surface is a change of these files.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceCondition } from '../workspace/manifest.ts';
import { isPublished, type Member, readMembers } from '../workspace/members.ts';
import { readEntries } from './bundle.ts';
import { emitDeclarations } from './emit.ts';
import { moduleReader } from './exports.ts';
import { rollUp } from './roll-up.ts';

/** By file name: the declarations of each entry; `packages.txt` has the dependencies, and core's error codes. */
export async function readSurface(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = readEntries(root);
  const read = moduleReader(emitDeclarations(root, entries));
  const pins = entries.map(({ name, source }) => [fileOf(name), rollUp(source, read)] as const);
  return new Map([['packages.txt', await readPackages(root)], ...pins]);
}

/** `@utensil/core/testing` is in `core.testing.txt`. */
function fileOf(entry: string): string {
  return `${entry.replace(/^@[^/]+\//, '').replaceAll('/', '.')}.txt`;
}

async function readPackages(root: string): Promise<string> {
  const lines = readMembers(root).filter(isPublished).flatMap(linesOf);
  return `${[...lines, ...(await readErrorCodes(root))].sort().join('\n')}\n`;
}

function linesOf({ folder, manifest }: Member): string[] {
  const { name, dependencies = {}, peerDependencies = {}, exports = {} } = manifest;
  return [
    `${name} package`,
    ...Object.keys(dependencies).map((dependency) => `${name} dependency ${dependency}`),
    ...Object.keys(peerDependencies).map((peer) => `${name} peer ${peer}`),
    ...Object.entries(exports).map(([entry, target]) => {
      if (typeof target === 'string') return `${name} file ${entry}`;
      if (target[sourceCondition] === undefined)
        throw new Error(`${folder}/package.json: ${entry} has no "${sourceCondition}".`);
      return `${name} entry ${entry}`;
    }),
  ];
}

async function readErrorCodes(root: string): Promise<string[]> {
  const path = join(root, 'packages/core/src/base/errors.ts');
  if (!existsSync(path)) throw new Error(`The error codes are not in ${path}.`);
  const { errorCodes } = (await import(pathToFileURL(path).href)) as { readonly errorCodes?: readonly string[] };
  if (errorCodes === undefined || errorCodes.length === 0) throw new Error(`${path} exports no errorCodes.`);
  return errorCodes.map((code) => `error ${code}`);
}

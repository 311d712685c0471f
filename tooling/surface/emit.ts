// Declarations that the compiler emits for the entry points.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommand } from '../checks/commands.ts';
import type { Entry } from './bundle.ts';

/** Emits them into .results/surface, as text by path. */
export function emitDeclarations(root: string, entries: readonly Entry[]): (path: string) => string {
  const folder = join(root, '.results/surface');
  const config = join(folder, 'tsconfig.json');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, JSON.stringify(configOf(root, folder, entries)));
  const { ok, output } = runCommand(`tsc --noCheck --singleThreaded -p ${config}`, { cwd: root }); // the check `types` checks them
  if (!ok) throw new Error(`There are no declarations:\n${output}`);
  return (path) => readFileSync(join(folder, relative(root, path).replace(/\.tsx?$/, '.d.ts')), 'utf8');
}

function configOf(root: string, outDir: string, entries: readonly Entry[]): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      removeComments: true,
      types: ['node'],
      rootDir: root,
      outDir,
      // Otherwise a package found through node_modules counts as foreign, and is not emitted.
      paths: Object.fromEntries(entries.map(({ name, source }) => [name, [source]])),
    },
    files: entries.map(({ source }) => source),
    include: [],
    exclude: [],
  };
}

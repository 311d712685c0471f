// Compiler work for the tools of an app, which people wait for in their editors: type instantiations of a program with
// fifty tools. The same number on every machine.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../node_modules/.bin');
const options = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--singleThreaded',
  '--extendedDiagnostics',
];
const target = ['--target', 'es2023', '--module', 'nodenext', '--types', ''];

/** A program that registers this many tools, with zod schemas. */
export function programWith(tools: number): string {
  const names = Array.from({ length: tools }, (_, index) => `tool${index}`);
  return [
    `import { createRegistry, defineTool } from '@utensil/core';`,
    `import * as z from 'zod';`,
    ...names.map(
      (name) => `const ${name} = defineTool({
  name: '${name}',
  description: 'Tells of a path.',
  input: z.object({ path: z.string(), count: z.number().optional(), on: z.boolean() }),
  effects: 'read',
  execute: ({ path, count = 0, on }) => path.length + count + Number(on),
});`,
    ),
    `export const registry = createRegistry([${names.join(', ')}]);\n`,
  ].join('\n');
}

/** Number of type instantiations of a program with packages from `folder`. Throws the compiler's errors. */
export function countInstantiations(folder: string, program: string): number {
  const work = join(folder, '.results/instantiations');
  mkdirSync(work, { recursive: true });
  try {
    writeFileSync(join(work, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(work, 'program.ts'), program);
    const words = [...options, ...target, 'program.ts'];
    const { status, stdout, error } = spawnSync(join(bin, 'tsc'), words, { cwd: work, encoding: 'utf8' });
    const found = /^Instantiations:\s*(\d+)$/m.exec(stdout)?.[1];
    if (status !== 0 || found === undefined) throw new Error(`Types were not counted:\n${error?.message ?? stdout}`);
    return Number(found);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// Runs the named example, or lists all: npm run example -- write-a-tool

import { readdirSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { argv } from 'node:process';

// The program runs from sources; caches the compiled code for the next start.
enableCompileCache(fileURLToPath(new URL('../../../.toolchain/compile-cache', import.meta.url)));

const folder = `${import.meta.dirname}/programs`;
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
const [name] = argv.splice(2, 1); // the rest belongs to the program

if (name !== undefined && names.includes(name)) await import(pathToFileURL(`${folder}/${name}.ts`).href);
else {
  if (name !== undefined) console.error(`There is no example "${name}". These are there:\n`);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) console.log(`npm run example -- ${name.padEnd(width)}  ${firstComment(name)}`);
  process.exitCode = name === undefined ? 0 : 1;
}

/** Description of a program: its first line. */
function firstComment(name: string): string {
  const [line = ''] = readFileSync(`${folder}/${name}.ts`, 'utf8').split('\n', 1);
  return line.replace(/^\/\/ /, '');
}

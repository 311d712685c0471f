// Runs the example that is named, or lists them: npm run example -- write-a-tool

import { readdirSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { argv } from 'node:process';

// A program is its sources: what was compiled at the last start need not be again.
enableCompileCache(fileURLToPath(new URL('../../../.toolchain/compile-cache', import.meta.url)));

const folder = `${import.meta.dirname}/programs`;
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
const [name] = argv.splice(2, 1); // what follows is the program's own

if (name !== undefined && names.includes(name)) await import(pathToFileURL(`${folder}/${name}.ts`).href);
else {
  if (name !== undefined) console.error(`There is no example "${name}". These are there:\n`);
  const width = Math.max(...names.map(({ length }) => length));
  for (const name of names) console.log(`npm run example -- ${name.padEnd(width)}  ${firstComment(name)}`);
  process.exitCode = name === undefined ? 0 : 1;
}

/** What a program is about is its first line. */
function firstComment(name: string): string {
  const [line = ''] = readFileSync(`${folder}/${name}.ts`, 'utf8').split('\n', 1);
  return line.replace(/^\/\/ /, '');
}

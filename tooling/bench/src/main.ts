// Runs benchmarks: `npm run bench -- --help` lists them and their options.

import { writeFileSync } from 'node:fs';
import { messageOf } from '@utensil/core';
import { benchmarks } from './benchmarks.ts';
import { helpOf } from './runner/help.ts';
import { environmentLine } from './runner/load.ts';
import { assertTaken, readCommand } from './runner/options.ts';

try {
  await prepare(process.argv.slice(2))();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Parses the command line; exits with status 2 if it is invalid. */
function prepare(words: readonly string[]): () => void | Promise<void> {
  try {
    const { name, wantsHelp, given } = readCommand(words);
    const chosen = benchmarks.find((each) => each.name === name);
    if (wantsHelp) return () => console.log(helpOf(chosen === undefined ? benchmarks : [chosen]));
    if (chosen === undefined) throw new Error(`There is no benchmark "${name ?? ''}".`);
    assertTaken(chosen.name, given, [...chosen.options, 'json']);
    const start = chosen.prepare(given);
    return () => run(start, given.json);
  } catch (error) {
    console.error(`${messageOf(error)}\nThe benchmarks and their options: npm run bench -- --help`);
    process.exitCode = 2;
    return () => {};
  }
}

async function run(start: ReturnType<(typeof benchmarks)[number]['prepare']>, json?: string): Promise<void> {
  console.log(`${environmentLine()}\n`);
  const { samples, report, failure } = await start((line) => console.error(line));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(samples, null, 2)}\n`);
  console.log(`\n${report}`);
  if (failure !== undefined) throw new Error(failure);
}

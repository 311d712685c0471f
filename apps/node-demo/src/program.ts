import process from 'node:process';
import { isUtensilError } from '@utensil/core';
import manifest from '../package.json' with { type: 'json' };
import { helpText, readArguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import { start } from './start.ts';

process.stdout.on('error', goOnUnread);
process.stderr.on('error', goOnUnread);
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given.help) process.stdout.write(helpText);
    else if (given.version) process.stdout.write(`${manifest.version}\n`);
    else if (given.replay !== undefined) return await replayed(given.replay, given.test);
    else if (given.serveMcp !== undefined) return await (await import('./serve-mcp.ts')).serveMcp(given, process);
    else return await start(given, process);
    return exitCodes.answered;
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    process.stderr.write(`Error: ${plain(error.message)}\n`);
    return error.code === 'invalid_input' ? exitCodes.wrongUse : exitCodes.failed;
  }
}

async function replayed(file: string, test: string | undefined): Promise<number> {
  const { replay } = await import('./replay.ts');
  const from = process.env['INIT_CWD'] ?? process.cwd();
  return replay({ file, test, from, write: (text) => void process.stdout.write(text) });
}

/** The reader of our output may end first, as `head` does. The program still finishes its work. */
function goOnUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UtensilError } from '@utensil/core';

const run = promisify(execFile);

const program = 'script';

/** Throws if there is no terminal: the program `script` of util-linux provides one. */
export async function tryTerminal(): Promise<void> {
  const version = await run(program, ['--version'], { timeout: 10_000 }).catch(() => undefined);
  if (version?.stdout.includes('util-linux') !== true)
    throw new UtensilError(
      'ENOENT',
      'A terminal needs the program "script" of util-linux, which is missing here: run the command without tty.',
    );
}

/** The command in a terminal of 80 × 24. */
export function inTerminal(words: readonly string[]): readonly string[] {
  return [program, '-q', '-e', '-f', '-c', `stty rows 24 cols 80; exec ${words.map(quote).join(' ')}`, '/dev/null'];
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

// Runs commands with the programs of node_modules/.bin.

import { spawn, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { checks } from './checks.ts';

export const root = join(import.meta.dirname, '../..');

export interface CommandOptions {
  readonly cwd?: string;
  /** Destination of its output: collected (the default), or our own standard output. */
  readonly output?: 'pipe' | 1;
}

export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

const environment = {
  GOGC: '400', // the compiler and the linter, written in Go, otherwise spend a quarter of their time in garbage collection
  ...process.env,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), // the same programs start hundreds of times
  DO_NOT_TRACK: '1', // disables telemetry
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), // no colours in collected output
};

function commandOf(command: string) {
  const [program = '', ...parameters] = command.split(' ').filter(Boolean);
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const shell = process.platform === 'win32'; // on Windows, programs of node_modules/.bin are .cmd files
  return { program, parameters, options: { env: { ...environment, PATH }, shell } };
}

/** Runs commands in parallel, and passes their output through. True if none failed. */
export async function runTogether(commands: readonly string[]): Promise<boolean> {
  const outcomes = await Promise.all(commands.map((command) => startCommand(command, { output: 1 })));
  return outcomes.every(({ ok }) => ok);
}

/** Starts a command. One that cannot be started counts as failed. */
async function startCommand(command: string, { cwd = root, output = 'pipe' }: CommandOptions = {}) {
  const { program, parameters, options } = commandOf(command);
  const child = spawn(program, parameters, { ...options, cwd, stdio: ['ignore', output, output] });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (written += text));
  return new Promise<Outcome>((resolve) => {
    child.once('error', ({ message }) => resolve({ ok: false, output: `${command}: ${message}` }));
    child.once('close', (code) => resolve({ ok: code === 0, output: written }));
  });
}

/** Runs a command synchronously. One that cannot be started counts as failed. */
export function runCommand(command: string, { cwd = root, output = 'pipe' }: CommandOptions = {}): Outcome {
  const { program, parameters, options } = commandOf(command);
  const ended = spawnSync(program, parameters, {
    ...options,
    cwd,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (ended.error) return { ok: false, output: `${command}: ${ended.error.message}` };
  return { ok: ended.status === 0, output: (ended.stdout ?? '') + (ended.stderr ?? '') };
}

/** Runs the commands of a check up to the first failure, each with more words. */
export async function runCheck(name: string, cwd = root, words: readonly string[] = []): Promise<Outcome> {
  let last: Outcome = { ok: false, output: `There is no check "${name}".` };
  for (const command of checks[name] ?? []) {
    last = await startCommand([command, ...words].join(' '), { cwd });
    if (!last.ok) break;
  }
  return last;
}

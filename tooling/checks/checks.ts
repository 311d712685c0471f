// The checks, as data: a name, and the commands that it runs at the root. To add one, add a line.

import { spawn, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const checks: Readonly<Record<string, readonly string[]>> = {
  format: ['oxfmt --check'],
  lint: ['oxlint'],
  types: ['tsc -p tsconfig.json'],
  neutral: ['tsc -p tsconfig.neutral.json'],
  boundaries: ['node tooling/boundaries/main.ts'],
  shape: ['node tooling/shape/main.ts'],
  surface: ['node tooling/surface/main.ts'],
  unused: ['knip --no-config-hints'],
  packages: [
    'turbo run build --output-logs=errors-only',
    'node tooling/packages/main.ts',
    'node tooling/surface/built.ts',
  ],
  docs: ['node tooling/doctest/main.ts', 'tsc -p tsconfig.doctest.json', 'node tooling/documents/main.ts'],
  texts: ['node --conditions=@utensil/source tooling/checks/texts.ts'],
  chromium: ['node tooling/chromium.ts'],
  parity: ['node tooling/parity/main.ts'],
  models: ['node tooling/models/main.ts'],
};

/** The checks that take seconds, for a change that is under way. */
export const quick: readonly string[] = [
  'format',
  'lint',
  'types',
  'neutral',
  'boundaries',
  'shape',
  'surface',
  'unused',
  'docs',
  'chromium',
];

/** These read the report of the tests, so they come after them. */
export const afterTests: readonly string[] = ['parity', 'models'];

/**
 * Projects of tests that run at the same time, each group in a Vitest of its own: those that wait for pages and programs
 * half of their time, beside those that do not.
 */
export const testGroups: readonly (readonly string[])[] = [
  ['web-demo', 'browser', 'apps', 'tooling'],
  ['node', 'sandbox', 'doc'],
];

export const root = join(import.meta.dirname, '../..');

export interface CommandOptions {
  readonly cwd?: string;
  /** Where its output goes: kept (the default), or to our own standard output as it comes. */
  readonly output?: 'pipe' | 1;
}

export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** No colours where nobody sees them, and no word to the makers of a tool. */
const quiet = { DO_NOT_TRACK: '1', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) };

function commandOf(command: string) {
  const [program = '', ...parameters] = command.split(' ').filter(Boolean);
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const shell = process.platform === 'win32'; // where the programs of node_modules/.bin are .cmd files
  return { program, parameters, options: { env: { ...process.env, PATH, ...quiet }, shell } };
}

/** Runs commands at the same time, and passes on what they write. True if none failed. */
export async function runTogether(commands: readonly string[]): Promise<boolean> {
  const ends = commands.map((command) => {
    const { program, parameters, options } = commandOf(command);
    const child = spawn(program, parameters, { ...options, cwd: root, stdio: ['ignore', 1, 1] });
    return new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
  });
  return (await Promise.all(ends)).every(Boolean);
}

/** Runs a command with the programs of node_modules/.bin. One that cannot be started has failed. */
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

/** Runs the commands of a check up to the first that fails. */
export function runCheck(name: string, cwd = root): Outcome {
  let last: Outcome = { ok: false, output: `There is no check "${name}".` };
  for (const command of checks[name] ?? []) {
    last = runCommand(command, { cwd });
    if (!last.ok) break;
  }
  return last;
}

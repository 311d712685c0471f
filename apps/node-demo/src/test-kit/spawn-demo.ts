import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { type FileHandle, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** Result of a run of the program. */
export interface Finished {
  readonly code: number | null;
  /** The standard output: answers, and results of commands. */
  readonly output: string;
  /** The standard error: all else. */
  readonly errors: string;
  /** Both, one after the other. */
  readonly all: string;
}

/** Options of the program's start. */
export interface SpawnOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Its output is closed as soon as something came. */
  readonly unread?: boolean;
  /** Its input: a pipe that has `input` and ends, one that stays open, or nothing at all. Default `ends`. */
  readonly stdin?: 'ends' | 'open' | 'ignored' | FileHandle['fd'];
  /** Runs it through another program, such as one that takes permissions away. */
  readonly through?: readonly string[];
  /** Starts the sources, as a person does, instead of their bundle. */
  readonly fromSources?: boolean;
}

const sources = ['--conditions=@utensil/source', fileURLToPath(new URL('../main.ts', import.meta.url))];

const bundle = join(inject('demoBundle'), 'main.js');

const slowDisk = new URL('./slow-disk.ts', import.meta.url).href;

/** An address at which nothing listens: an Ollama on this machine must not take part in a test. */
const nowhere = 'http://127.0.0.1:1';

/** Keys of the programs that this test file starts, apart from those of the person who runs it. */
const keys = mkdtempSync(join(inject('demoKeys'), 'keys-'));

/** The program's entire environment. */
const environment = {
  PATH: process.env['PATH'],
  OLLAMA_HOST: nowhere,
  UTENSIL_KEY_FILE: join(keys, 'config', 'key'),
  NODE_COMPILE_CACHE: join(inject('demoBundle'), 'compile-cache'),
};

/** Runs the program as a person would, with nothing of the test's environment but the path. */
export async function demo(
  words: readonly string[],
  { input = '', env, unread = false, stdin = 'ends', through = [], fromSources = false }: SpawnOptions = {},
): Promise<Finished> {
  const main = fromSources ? sources : [bundle];
  const [program = '', ...given] = [...through, process.execPath, ...main, ...words];
  const isPipe = stdin === 'ends' || stdin === 'open';
  const child = spawn(program, given, {
    env: { ...environment, ...env },
    stdio: [isPipe ? 'pipe' : stdin === 'ignored' ? 'ignore' : stdin, 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (unread) child.stdout?.once('data', () => child.stdout?.destroy());
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin?.on('error', () => {}); // it may end without reading
  if (stdin === 'ends') child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output, errors, all: errors + output };
}

const terminalKeys = { 'Ctrl-C': '\u0003', 'Ctrl-D': '\u0004' } as const;

/** The program while it runs. */
export interface RunningDemo extends AsyncDisposable {
  write(line: string): void;
  /** Presses a key of its terminal. */
  press(key: keyof typeof terminalKeys): void;
  /** The complete output, as soon as it contains this. */
  until(text: string): Promise<string>;
  signal(name: 'SIGINT' | 'SIGKILL' | 'SIGTERM'): void;
  /** Its exit code, or the signal that ended it. */
  readonly end: Promise<number | string | null>;
}

/** `script` of util-linux gives a program a terminal, and passes its exit code on. */
function inTerminal(command: readonly string[]): [program: string, words: string[]] {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return ['script', ['--quiet', '--flush', '--return', '--command', `exec ${quoted}`, '/dev/null']];
}

/** Options for starting a program that keeps running. */
export interface StartOptions {
  /** Its disk stops at two files: see slow-disk.ts. */
  readonly slow?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** It is started in a terminal of its own, and typed into. */
  readonly terminal?: boolean;
}

/** Starts the program and leaves it running. */
export function startDemo(
  words: readonly string[],
  { slow = false, env, terminal = false }: StartOptions = {},
): RunningDemo {
  const given = [...(slow ? ['--import', slowDisk] : []), bundle, ...words];
  const [program, programWords] = terminal ? inTerminal([process.execPath, ...given]) : [process.execPath, given];
  const child = spawn(program, programWords, { env: { ...environment, NO_COLOR: '1', TERM: 'dumb', ...env } });
  const waiting = new Map<string, (output: string) => void>();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const [wanted, found] of waiting) if (output.includes(wanted)) found(output);
    });
  const end = new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return {
    end,
    write: (line) => void child.stdin.write(`${line}${terminal ? '\r' : '\n'}`),
    press: (key) => void child.stdin.write(terminalKeys[key]),
    until: (text) =>
      Promise.race([
        output.includes(text) ? output : new Promise<string>((found) => waiting.set(text, found)),
        end.then(() => {
          if (output.includes(text)) return output;
          throw new Error(`It ended without "${text}":\n${output}`);
        }),
      ]),
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await end;
    },
  };
}

/** An empty folder, for as long as it is used. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'utensil-demo-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** What a run of the program left. */
export interface Finished {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** How the program is started. */
export interface SpawnOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its output is closed as soon as something came. */
  readonly unread?: boolean;
}

const main = fileURLToPath(new URL('main.ts', import.meta.url));

const slowDisk = new URL('./slow-disk.ts', import.meta.url).href;

/** Where nobody listens: an Ollama of this machine's is no part of a test. */
const nowhere = 'http://127.0.0.1:1';

/** Keys of the programs of one test file, apart from those of the person who runs the tests. */
const keys = mkdtempSync(join(tmpdir(), 'utensil-demo-key-'));
process.once('exit', () => rmSync(keys, { recursive: true, force: true }));

/** All that the program is given of an environment. */
const environment = {
  PATH: process.env['PATH'],
  OLLAMA_HOST: nowhere,
  UTENSIL_KEY_FILE: join(keys, 'config', 'key'),
};

/** Runs the program as a person would, with nothing of the test's environment but the path. */
export async function demo(
  words: readonly string[],
  { input = '', env, unread = false }: SpawnOptions = {},
): Promise<Finished> {
  const child = spawn(process.execPath, ['--conditions=@utensil/source', main, ...words], {
    env: { ...environment, ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (unread) child.stdout.once('data', () => child.stdout.destroy());
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => {}).end(input); // it may end without reading
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output, errors };
}

/** The program while it runs. */
export interface RunningDemo extends AsyncDisposable {
  write(line: string): void;
  /** Everything that it has written, as soon as this is in it. */
  until(text: string): Promise<string>;
  signal(name: 'SIGINT' | 'SIGKILL'): void;
  /** Its exit code, or the signal that ended it. */
  readonly end: Promise<number | string | null>;
}

/** Starts the program and leaves it running. With `slow`, its disk stops at two files: see slow-disk.ts. */
export function startDemo(words: readonly string[], { slow = false } = {}): RunningDemo {
  const given = ['--conditions=@utensil/source', ...(slow ? ['--import', slowDisk] : []), main, ...words];
  const child = spawn(process.execPath, given, { env: environment });
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
    write: (line) => void child.stdin.write(`${line}\n`),
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

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { UtensilError } from '@utensil/core';

const run = promisify(execFile);

/** Channels between a command and the app. */
export interface Relays {
  /** File descriptors of the command: for input and output. */
  readonly command: { readonly input: number; readonly output: number };
  /** Streams of the app: to write input, and to read output until all writers have closed. */
  readonly input: Writable;
  readonly output: Readable;
  /** Closes our copies: the command has its descriptors, or never will. */
  release(): void;
  close(): void;
}

interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Pipes for a command, with `cat` between them and the app. Node.js would give programs a socket: `echo > /dev/stderr`
 * fails on that, and bash assumes a remote shell and reads the user's `.bashrc`. A pipe opened by Node.js itself would
 * be closed twice when a worker ends.
 */
export async function openRelays(): Promise<Relays> {
  const { input, output } = await openPipes();
  const writer = spawn('cat', [], { cwd: '/', detached: true, stdio: ['pipe', input.write, 'ignore'] });
  const reader = spawn('cat', [], { cwd: '/', detached: true, stdio: [output.read, 'pipe', 'ignore'] });
  closeSync(input.write);
  closeSync(output.read);
  const release = (): void => {
    closeSync(input.read);
    closeSync(output.write);
  };
  const close = (): void => {
    writer.kill('SIGKILL');
    reader.kill('SIGKILL');
  };
  try {
    await Promise.all([once(writer, 'spawn'), once(reader, 'spawn')]);
    const { stdin } = writer;
    const { stdout } = reader;
    if (stdin === null || stdout === null) throw new UtensilError('EIO', 'The program "cat" has no pipes.');
    return { command: { input: input.read, output: output.write }, input: stdin, output: stdout, release, close };
  } catch (error) {
    release();
    close();
    throw error;
  }
}

async function openPipes(): Promise<{ readonly input: Pipe; readonly output: Pipe }> {
  const directory = await mkdtemp(join(tmpdir(), 'utensil-shell-'));
  try {
    const paths = [join(directory, 'input'), join(directory, 'output')] as const;
    await run('mkfifo', ['-m', '600', ...paths]);
    return { input: openPipe(paths[0]), output: openPipe(paths[1]) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Opening an end blocks until the other is open, except for the first one. */
function openPipe(path: string): Pipe {
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  const read = openSync(path, constants.O_RDONLY);
  closeSync(first);
  return { read, write };
}

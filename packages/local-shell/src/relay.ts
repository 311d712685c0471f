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

/** The ways between a command and the app. */
export interface Relays {
  /** File descriptors for the command: what it reads from, and what it writes to. */
  readonly command: { readonly input: number; readonly output: number };
  /** For the app: what it writes, and what it reads until nobody can write any more. */
  readonly input: Writable;
  readonly output: Readable;
  /** The command has its descriptors now, or never will. */
  release(): void;
  close(): void;
}

interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Pipes for a command, with `cat` between them and the app. What Node.js gives a program is a socket: `echo > /dev/stderr`
 * fails there, and bash takes itself for a remote shell and reads the user's `.bashrc`. And what Node.js opens itself, a
 * worker of it would close once more in its end.
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

/** Each end waits for another to be open; only the first one does not. */
function openPipe(path: string): Pipe {
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  const read = openSync(path, constants.O_RDONLY);
  closeSync(first);
  return { read, write };
}

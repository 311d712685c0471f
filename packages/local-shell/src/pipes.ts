import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The two ends of a pipe, as file descriptors. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Pipes for the input and the output of a command. Those that Node.js makes are sockets, in which `echo text > /dev/stderr`
 * fails.
 */
export async function openPipes(): Promise<{ readonly input: Pipe; readonly output: Pipe }> {
  const directory = await mkdtemp(join(tmpdir(), 'utensil-shell-'));
  try {
    const [input, output] = [join(directory, 'input'), join(directory, 'output')];
    await run('mkfifo', ['-m', '600', input, output]);
    return { input: openPipe(input), output: openPipe(output) };
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

export function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}

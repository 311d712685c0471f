import process from 'node:process';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';

/** The streams of the process, reserved for one protocol. */
export interface OwnStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Restores the output of the process. */
  release(): void;
}

/**
 * Takes over the streams of the process. Other output, such as `console.log`, is redirected to standard error
 * meanwhile.
 */
export function ownStreams(): OwnStreams {
  const { stdin, stdout, stderr } = process;
  const { write } = stdout;
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void write.call(stdout, chunk, undefined, done),
  });
  const fail = (error: Error): void => void output.destroy(error);
  stdout.write = stderr.write.bind(stderr);
  stdout.on('error', fail);
  return {
    input: stdin,
    output,
    release() {
      stdout.write = write;
    },
  };
}

import process from 'node:process';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';

/** The streams of the process, for one protocol alone. */
export interface OwnStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Gives the output back to the process. */
  release(): void;
}

/** Takes the streams of the process. Whatever else is written to its output, as by `console.log`, goes to its errors meanwhile. */
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

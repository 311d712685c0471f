import { countedDecompression } from '../worker/decompression.ts';
import type { DecompressionConstructor } from '../worker/decompression.ts';

interface Unpacked {
  /** Bytes written to the platform's stream. */
  readonly given: number;
  /** Bytes counted. */
  readonly taken: number;
  readonly isDone: boolean;
}

/** Unpacks bytes as the parser does, within a limit. */
export async function unpackWithin(
  bytes: Uint8Array<ArrayBuffer>,
  most: number,
  format = 'deflate',
): Promise<Unpacked> {
  let [given, taken] = [0, 0];
  const { DecompressionStream } = globalThis as unknown as { readonly DecompressionStream: DecompressionConstructor };
  const Original: DecompressionConstructor = class {
    readonly readable;
    readonly writable;
    constructor(name: string) {
      const { readable, writable } = new DecompressionStream(name);
      const writer = writable.getWriter();
      this.readable = readable;
      this.writable = new WritableStream<Uint8Array<ArrayBuffer>>({
        async write(chunk) {
          given += chunk.length;
          await writer.write(chunk);
        },
        close: () => writer.close(),
        abort: (reason) => writer.abort(reason),
      });
    }
  };
  const Counted = countedDecompression(Original, (size) => {
    taken += size;
    if (taken > most) throw new RangeError('enough');
  });
  const { readable, writable } = new Counted(format);
  const writer = writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  try {
    await Promise.all([written, drain(readable)]);
    return { given, taken, isDone: true };
  } catch {
    return { given, taken, isDone: false };
  }
}

async function drain(readable: unknown): Promise<void> {
  for await (const _ of readable as AsyncIterable<Uint8Array>);
}

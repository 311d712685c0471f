/** The stream that the parser uses if the platform has it. */
export interface Decompression {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
}

export type DecompressionConstructor = new (format: string) => Decompression;

/** In bytes. Browsers unpack a whole write before any of it can be read: this much becomes at most 4 MiB. */
const piece = 4_096;

/** The same class, but its output is counted piece by piece. Only `deflate` is supported: other formats have no bounded ratio. */
export function countedDecompression(
  Original: DecompressionConstructor,
  take: (bytes: number) => void,
): DecompressionConstructor {
  return class implements Decompression {
    readonly readable: Decompression['readable'];
    readonly writable: Decompression['writable'];

    constructor(format: string) {
      if (format !== 'deflate') throw new TypeError(`The format ${format} is not supported.`);
      const { readable, writable } = new Original(format);
      const writer = writable.getWriter();
      this.readable = readable.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            take(chunk.byteLength);
            controller.enqueue(chunk);
          },
        }),
      );
      this.writable = new WritableStream({
        async write(chunk) {
          for (let start = 0; start < chunk.length; start += piece) {
            await writer.ready;
            await writer.write(chunk.subarray(start, start + piece));
          }
        },
        close: () => writer.close(),
        abort: (reason) => writer.abort(reason),
      });
    }
  };
}

/** The stream that the parser uses, where the platform has it. */
export interface Decompression {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
}

export type DecompressionConstructor = new (format: string) => Decompression;

/** In bytes. Browsers unpack whatever is written at once, before anybody can read it: this much becomes 4 MiB at the most. */
const piece = 4_096;

/** The same class, whose output is counted before there is more of it. Formats that unpack without a bound are not supported. */
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

import { pipeline, Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Empty bodies and ends that are cut off are taken as browsers take them. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

const gunzip = (): Transform => createGunzip(lenient);

const decoders: Readonly<Record<string, () => Transform>> = {
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  deflate: () => createInflate(lenient),
  gzip: gunzip,
  'x-gzip': gunzip,
};

/** What a server is told it may compress with. */
export const acceptedEncodings = 'br, gzip';

/** Nobody has a reason for more, and each one costs. */
const mostCodings = 3;

/**
 * The bytes that were meant, decompressed as they are read. What is in an unknown encoding stays as it is.
 *
 * @throws RangeError where it is compressed again and again
 */
export function decoded(message: Readable, encoding: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > mostCodings) throw new RangeError(`The body is compressed ${codings.length} times.`);
  const steps = codings.map((coding) => decoders[coding]);
  if (!steps.every((step) => step !== undefined)) return toWeb(message);
  return toWeb(steps.reduceRight<Readable>((source, create) => pipeline(source, create(), () => {}), message));
}

function toWeb(readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Readable.toWeb(readable) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

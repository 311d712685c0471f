import { pipeline, Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Accepts empty and truncated bodies, as browsers do. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

const gunzip = (): Transform => createGunzip(lenient);

const decoders: Readonly<Record<string, () => Transform>> = {
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  deflate: () => createInflate(lenient),
  gzip: gunzip,
  'x-gzip': gunzip,
};

/** Encodings offered to servers. */
export const acceptedEncodings = 'br, gzip';

/** More codings are never needed, and each costs memory. */
const mostCodings = 3;

/**
 * Decompresses a body as it is read. A body in an unknown encoding is passed through.
 *
 * @throws RangeError for too many layers of compression
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

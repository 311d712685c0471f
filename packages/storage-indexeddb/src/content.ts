import type { ByteRange, StorageEntry } from '@utensil/core/storage';
import type { Transaction } from './schema.ts';

/** Size of the pieces of a large content, so that reading a part does not read all of it. */
export const pieceBytes = 1024 * 1024;

/** Splits a content into pieces. Views are copied, because IndexedDB would store their whole buffer. */
export function* toPieces(content: Uint8Array): Generator<Uint8Array, void> {
  const { buffer, length } = content;
  const isWhole = length <= pieceBytes && buffer instanceof ArrayBuffer && buffer.byteLength === length;
  for (let start = 0; start < length; start += pieceBytes) {
    yield isWhole ? content : new Uint8Array(content.subarray(start, start + pieceBytes));
  }
}

/** Number of pieces of a file's content. */
export function piecesOf({ size }: StorageEntry): number {
  return Math.ceil(size / pieceBytes);
}

/** Reads a byte range of a file's content. */
export async function readContent(
  transaction: Transaction,
  { etag, size }: StorageEntry,
  range: ByteRange = { start: 0, end: Infinity },
): Promise<Uint8Array> {
  const { start } = range;
  const end = Math.min(range.end, size);
  if (start >= end) return new Uint8Array();
  const first = Math.floor(start / pieceBytes);
  const last = Math.ceil(end / pieceBytes) - 1;
  const pieces = await readPieces(transaction, etag, [first, last]);
  const content = part(join(pieces), start - first * pieceBytes, end - first * pieceBytes);
  if (content.length !== end - start) throw new Error('The stored content has the wrong length.');
  return content;
}

async function readPieces(
  transaction: Transaction,
  etag: string,
  [first, last]: readonly [number, number],
): Promise<readonly Uint8Array[]> {
  const contents = transaction.objectStore('contents');
  if (first < last) return contents.getAll(IDBKeyRange.bound([etag, first], [etag, last]));
  const only = await contents.get([etag, first]);
  return only === undefined ? [] : [only];
}

function part(content: Uint8Array, start: number, end: number): Uint8Array {
  return start === 0 && end === content.length ? content : content.slice(start, end);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const joined = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

// Stored contents: a head (the format, and an id of 256 random bits), then chunks of 64 KiB, each encrypted with
// AES-GCM under a key derived for that id. The nonce of a chunk is its number and a flag for the last chunk. So no
// nonce is reused, and a chunk that is dropped, repeated, moved or taken from another content is detected.

import type { ByteRange } from '@utensil/core/storage';
import { utf8 } from './key.ts';

/** Size of a chunk; reading a range costs the chunks that it touches. */
export const chunkBytes = 64 * 1024;

/** Size of the head that identifies a content. */
export const headBytes = 36;

const tagBytes = 16;
const storedChunkBytes = chunkBytes + tagBytes;
const format = Uint8Array.of(0x75, 0x74, 0x65, 1);

/** Number of chunks encrypted at a time: enough to keep the threads of WebCrypto busy. */
const together = 16;

/** Stored size of a content. */
export function storedSize(size: number): number {
  return headBytes + size + tagBytes * countOf(size);
}

/** Size of the content with this stored size; undefined if there is none. */
export function plainSize(stored: number): number | undefined {
  const body = stored - headBytes;
  const count = Math.ceil(body / storedChunkBytes);
  const size = body - count * tagBytes;
  const isExact = count === 1 ? size >= 0 : count > 1 && size > (count - 1) * chunkBytes;
  return isExact ? size : undefined;
}

/** Number of chunks. Even an empty content has one, to prove that it was not truncated. */
function countOf(size: number): number {
  return Math.max(1, Math.ceil(size / chunkBytes));
}

/** A range of chunks. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The chunks for a range: at least one, and the last one as proof of the size if the range extends past the end. */
export function windowOf(size: number, { start, end }: ByteRange): Window {
  const final = countOf(size) - 1;
  const first = Math.min(Math.floor(start / chunkBytes), final);
  return { first, last: Math.min(Math.max(Math.ceil(end / chunkBytes) - 1, first), final) };
}

/** Offset of a chunk. */
export function offsetOf(chunk: number): number {
  return headBytes + chunk * storedChunkBytes;
}

/** Encrypts a content under a new random id. */
export async function seal(secret: CryptoKey, content: Uint8Array): Promise<Uint8Array> {
  const head = new Uint8Array(headBytes);
  head.set(format);
  crypto.getRandomValues(head.subarray(format.length));
  const key = await fileKey(secret, head);
  const sealed = new Uint8Array(storedSize(content.length));
  sealed.set(head);
  const final = countOf(content.length) - 1;
  await eachChunk({ first: 0, last: final }, async (chunk) => {
    const plain = new Uint8Array(content.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes));
    const encrypted = await crypto.subtle.encrypt(cipherOf(head, chunk, chunk === final), key, plain);
    sealed.set(new Uint8Array(encrypted), offsetOf(chunk));
  });
  return sealed;
}

/** A range of stored chunks. */
export interface SealedChunks extends Window {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Size of the whole content. */
  readonly size: number;
}

/** Decrypts chunks; undefined if they fail authentication. */
export async function unseal(
  secret: CryptoKey,
  { head, body, size, first, last }: SealedChunks,
): Promise<Uint8Array | undefined> {
  if (head.length !== headBytes || !format.every((byte, at) => head[at] === byte)) return undefined;
  const final = countOf(size) - 1;
  const end = Math.min((last + 1) * chunkBytes, size);
  const content = new Uint8Array(end - first * chunkBytes);
  if (body.length !== content.length + (last - first + 1) * tagBytes) return undefined;
  const key = await fileKey(secret, head);
  try {
    await eachChunk({ first, last }, async (chunk) => {
      const at = chunk - first;
      const encrypted = body.subarray(at * storedChunkBytes, (at + 1) * storedChunkBytes);
      const plain = await crypto.subtle.decrypt(cipherOf(head, chunk, chunk === final), key, encrypted);
      content.set(new Uint8Array(plain), at * chunkBytes);
    });
  } catch {
    return undefined; // WebCrypto reports only that it failed
  }
  return content;
}

function fileKey(secret: CryptoKey, head: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: head.slice(format.length), info: utf8('file') };
  return crypto.subtle.deriveKey(algorithm, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function cipherOf(head: Uint8Array<ArrayBuffer>, chunk: number, isLast: boolean): AesGcmParams {
  const iv = new Uint8Array(12);
  const view = new DataView(iv.buffer);
  view.setUint32(7, chunk);
  view.setUint8(11, isLast ? 1 : 0);
  return { name: 'AES-GCM', iv, additionalData: head };
}

async function eachChunk({ first, last }: Window, work: (chunk: number) => Promise<void>): Promise<void> {
  for (let start = first; start <= last; start += together) {
    const count = Math.min(together, last - start + 1);
    await Promise.all(Array.from({ length: count }, (_, index) => work(start + index)));
  }
}

import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { ByteRange, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { chunkBytes, headBytes, offsetOf, plainSize, unseal, windowOf } from './content.ts';
import type { SealedChunks } from './content.ts';

/** Input of a read: the stored content, its keys, and its path in errors. */
export interface Source {
  readonly driver: StorageDriver;
  readonly secret: CryptoKey;
  readonly stored: EntryKey;
  readonly path: string;
}

/** A content, with its entry as stored. */
export interface Reading {
  readonly entry: StorageEntry;
  readonly content: Uint8Array;
}

type Loaded = SealedChunks & { readonly entry: StorageEntry };

const everything: ByteRange = { start: 0, end: Infinity };

/** Reads a range. Throws `content_damaged` for content that was not written with this key. */
export async function readContent(source: Source, range: ByteRange = everything): Promise<Reading | undefined> {
  const isFromStart = windowOf(Infinity, range).first === 0;
  const loaded = isFromStart ? await loadStart(source, range) : await loadMiddle(source, range);
  if (loaded === undefined) return undefined;
  const content = await unseal(source.secret, loaded);
  if (content === undefined) throw damaged(source.path);
  const skipped = loaded.first * chunkBytes;
  const start = Math.min(range.start, loaded.size) - skipped;
  const end = Math.max(Math.min(range.end, loaded.size) - skipped, start);
  return { entry: loaded.entry, content: end - start === content.length ? content : content.slice(start, end) };
}

/** Loads the head and the chunks after it, in one read. */
async function loadStart({ driver, stored, path }: Source, range: ByteRange): Promise<Loaded | undefined> {
  const reach = offsetOf(windowOf(Infinity, range).last + 1);
  const found = await driver.read(stored, Number.isFinite(reach) ? { start: 0, end: reach } : undefined);
  if (found === undefined) return undefined;
  const size = sizeOf(found.entry, path);
  const window = windowOf(size, range);
  const bytes = new Uint8Array(found.content);
  const [head, body] = [bytes.slice(0, headBytes), bytes.subarray(headBytes, offsetOf(window.last + 1))];
  return { entry: found.entry, head, body, size, first: 0, last: window.last };
}

/** Loads the head, then the chunks; everything in one read if the content changed in between. */
async function loadMiddle(source: Source, range: ByteRange): Promise<Loaded | undefined> {
  const { driver, stored, path } = source;
  const found = await driver.read(stored, { start: 0, end: headBytes });
  if (found === undefined) return undefined;
  const size = sizeOf(found.entry, path);
  const window = windowOf(size, range);
  const rest = await driver.read(stored, { start: offsetOf(window.first), end: offsetOf(window.last + 1) });
  if (rest?.entry.etag !== found.entry.etag) return loadStart(source, everything);
  const [head, body] = [new Uint8Array(found.content), new Uint8Array(rest.content)];
  return { entry: found.entry, head, body, size, ...window };
}

function sizeOf(entry: StorageEntry, path: string): number {
  const size = plainSize(entry.size);
  if (size === undefined) throw damaged(path);
  return size;
}

function damaged(path: string): UtensilError {
  const hint =
    'The stored content was altered, truncated or written with another key: replace it with a copy, or remove it.';
  return fileError('content_damaged', path, { hint });
}

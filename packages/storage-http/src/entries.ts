import { isObject } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageCommitResult, StorageEntry, EntryKey, ListedEntry } from '@utensil/core/storage';
import { jsonOf } from './connection.ts';
import type { Answer } from './connection.ts';
import { header, isKey } from './protocol.ts';

/** Error for a response that violates the protocol. */
function unreadable(path: string): Error {
  return fileError('EIO', path, { hint: "The server's response is malformed." });
}

/** Entries in a `stat` response for this many keys. */
export function toStats(answer: Answer, keys: readonly EntryKey[]): readonly (StorageEntry | undefined)[] {
  const entries = entriesIn(answer, keys[0]?.path ?? '/');
  if (entries.length !== keys.length) throw unreadable(keys[0]?.path ?? '/');
  return entries.map((entry, index) => {
    if (entry === null) return undefined;
    return toEntry(entry, keys[index]?.path ?? '/');
  });
}

/** A page of a listing, and the path after which the next one begins. */
export interface Page {
  readonly entries: readonly ListedEntry[];
  readonly next: string | undefined;
}

/** Page in a `list` response. */
export function toPage(answer: Answer, path: string): Page {
  const body = jsonOf(answer);
  const next = isObject(body) ? body['next'] : undefined;
  return {
    entries: entriesIn(answer, path).map((entry) => toListed(entry, path)),
    next: typeof next === 'string' ? next : undefined,
  };
}

function entriesIn(answer: Answer, path: string): readonly unknown[] {
  const body = jsonOf(answer);
  if (!isObject(body) || !Array.isArray(body['entries'])) throw unreadable(path);
  return body['entries'];
}

function toListed(value: unknown, about: string): ListedEntry {
  if (!isObject(value) || !isKey(value)) throw unreadable(about);
  const { tree, path, kind, size, modifiedAt }: EntryKey & Record<string, unknown> = value;
  if (typeof size !== 'number' || typeof modifiedAt !== 'number') throw unreadable(about);
  if (kind !== 'file' && kind !== 'directory') throw unreadable(about);
  return { tree, path, kind, size, modifiedAt };
}

function toEntry(value: unknown, about: string): StorageEntry {
  const etag = isObject(value) ? value['etag'] : undefined;
  if (typeof etag !== 'string') throw unreadable(about);
  return { ...toListed(value, about), etag };
}

/** Entry in the headers of a `read` response. */
export function toReadEntry({ headers }: Answer, { tree, path }: EntryKey): StorageEntry {
  const [size, modifiedAt] = [headers.get(header.size), headers.get(header.modifiedAt)].map(Number);
  const [, quoted] = /^"(.*)"$/.exec(headers.get('etag') ?? '') ?? [];
  if (quoted === undefined || !Number.isSafeInteger(size) || !Number.isFinite(modifiedAt)) throw unreadable(path);
  return { tree, path, kind: 'file', size: size ?? 0, modifiedAt: modifiedAt ?? 0, etag: decodeEtag(quoted, path) };
}

function decodeEtag(quoted: string, path: string): string {
  try {
    return decodeURIComponent(quoted);
  } catch {
    throw unreadable(path);
  }
}

/** Result in a `commit` response. */
export function toCommitResult(answer: Answer, path: string): StorageCommitResult {
  const body = jsonOf(answer);
  if (!isObject(body)) throw unreadable(path);
  if (body['ok'] === true) return { ok: true, entries: entriesIn(answer, path).map((entry) => toEntry(entry, path)) };
  const { conflict, entry } = body;
  if (body['ok'] !== false || !isKey(conflict)) throw unreadable(path);
  return {
    ok: false,
    conflict: { tree: conflict.tree, path: conflict.path },
    entry: entry === null ? undefined : toEntry(entry, path),
  };
}

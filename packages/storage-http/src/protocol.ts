import { isObject } from '@utensil/core';
import type { ErrorCode } from '@utensil/core';
import type { StorageChange, StorageCommit, EntryKey, StorageTree } from '@utensil/core/storage';

/** The version of the protocol, in every address and in every answer. */
export const version = '1';

/** What a request can be for: the last part of its address. */
export const endpoints = ['stat', 'list', 'read', 'commit', 'watch'] as const;

/** One of {@link endpoints}. */
export type Endpoint = (typeof endpoints)[number];

/** The headers that no other protocol has, and the one that names a commit. */
export const header = {
  version: 'utensil-storage',
  size: 'utensil-size',
  modifiedAt: 'utensil-modified-at',
  mark: 'utensil-mark',
  key: 'idempotency-key',
} as const;

/** The type of a commit's body. */
export const commitType = 'application/vnd.utensil.commit';

/** The status of an answer that is an error with this code; 422 for the others. */
export const statuses: Partial<Record<ErrorCode, number>> = {
  EINVAL: 400,
  ENAMETOOLONG: 400,
  EILSEQ: 400,
  EACCES: 403,
  EROFS: 403,
  ENOENT: 404,
  EFBIG: 413,
  EIO: 500,
  EBADF: 503,
  EBUSY: 503,
  ENOSPC: 507,
  EDQUOT: 507,
};

/** The roots of both trees, which stand for anything in them. */
export const roots: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/** A line of what `watch` answers with. */
export type News =
  | { readonly type: 'open'; readonly heartbeatMs: number }
  | { readonly type: 'alive' }
  | { readonly type: 'changed'; readonly keys: readonly EntryKey[] };

/** True if this is the name of a tree. */
export function isTree(value: unknown): value is StorageTree {
  return value === 'files' || value === 'records';
}

/** True if this has the tree and the path of an entry; nothing is said of the path. */
export function isKey(value: unknown): value is EntryKey {
  return isObject(value) && isTree(value['tree']) && typeof value['path'] === 'string';
}

const newLine = 0x0a;

/** A commit as one body: a line of JSON in which contents are sizes, and after it the contents. */
export function encodeCommit({ expect, changes, time, durable }: StorageCommit): Uint8Array<ArrayBuffer> {
  const contents = changes.flatMap((change) => (change.type === 'write' ? [change.content] : []));
  const commit = { expect: expect.map(withEtag), changes: changes.map(withoutContent), time };
  const line = JSON.stringify(durable === true ? { ...commit, durable } : commit);
  const parts = [new TextEncoder().encode(`${line}\n`), ...contents];
  return joinBytes(parts);
}

/** A key without whatever else the object has. */
function keyOf({ tree, path }: EntryKey): EntryKey {
  return { tree, path };
}

function withEtag({ tree, path, etag }: StorageCommit['expect'][number]): StorageCommit['expect'][number] {
  return { tree, path, etag };
}

function withoutContent(change: StorageChange): object {
  const { type } = change;
  switch (type) {
    case 'write':
      return { type, ...keyOf(change), size: change.content.length, ...(change.like && { like: keyOf(change.like) }) };
    case 'make-directory':
      return { type, ...keyOf(change) };
    case 'remove':
      return { type, ...keyOf(change), recursive: change.recursive ?? false };
    case 'move':
      return { type, ...keyOf(change), to: keyOf(change.to) };
  }
}

/** The line of JSON that a commit's body begins with, and what follows it; undefined where no line ends. */
export function splitCommit(body: Uint8Array): { readonly line: Uint8Array; readonly rest: Uint8Array } | undefined {
  const end = body.indexOf(newLine);
  return end === -1 ? undefined : { line: body.subarray(0, end), rest: body.subarray(end + 1) };
}

/** Bytes after bytes, in an array of their own. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Random, and too long to be guessed. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

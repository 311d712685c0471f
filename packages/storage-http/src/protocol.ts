import { isObject } from '@utensil/core';
import type { ErrorCode } from '@utensil/core';
import type { StorageChange, StorageCommit, EntryKey, StorageTree } from '@utensil/core/storage';

/** Protocol version, part of every address and response. */
export const version = '1';

/** Endpoints: the last segment of an address. */
export const endpoints = ['stat', 'list', 'read', 'commit', 'watch'] as const;

/** One of {@link endpoints}. */
export type Endpoint = (typeof endpoints)[number];

/** Headers of this protocol, and the one that identifies a commit. */
export const header = {
  version: 'utensil-storage',
  size: 'utensil-size',
  modifiedAt: 'utensil-modified-at',
  mark: 'utensil-mark',
  key: 'idempotency-key',
} as const;

/** Content type of a commit body. */
export const commitType = 'application/vnd.utensil.commit';

/** HTTP status of an error code; 422 for codes not listed. */
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

/** Roots of both trees, which stand for any entry in them. */
export const roots: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/** A line of a `watch` response. */
export type News =
  | { readonly type: 'open'; readonly heartbeatMs: number }
  | { readonly type: 'alive' }
  | { readonly type: 'changed'; readonly keys: readonly EntryKey[] };

/** True for the name of a tree. */
export function isTree(value: unknown): value is StorageTree {
  return value === 'files' || value === 'records';
}

/** True for an object with a tree and a path; the path is not validated. */
export function isKey(value: unknown): value is EntryKey {
  return isObject(value) && isTree(value['tree']) && typeof value['path'] === 'string';
}

const newLine = 0x0a;

/** Encodes a commit as one body: a line of JSON with content sizes, followed by the contents. */
export function encodeCommit({ expect, changes, time, durable }: StorageCommit): Uint8Array<ArrayBuffer> {
  const contents = changes.flatMap((change) => (change.type === 'write' ? [change.content] : []));
  const commit = { expect: expect.map(withEtag), changes: changes.map(withoutContent), time };
  const line = JSON.stringify(durable === true ? { ...commit, durable } : commit);
  const parts = [new TextEncoder().encode(`${line}\n`), ...contents];
  return joinBytes(parts);
}

/** A key without other members of the object. */
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

/** Splits a commit body into its line of JSON and the rest; undefined if the line has no end. */
export function splitCommit(body: Uint8Array): { readonly line: Uint8Array; readonly rest: Uint8Array } | undefined {
  const end = body.indexOf(newLine);
  return end === -1 ? undefined : { line: body.subarray(0, end), rest: body.subarray(end + 1) };
}

/** Concatenates byte arrays. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A random key, too long to guess. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

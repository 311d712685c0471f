import { isObject } from '@utensil/core';
import { fileError, resolvePath } from '@utensil/core/files';
import { isAddressable } from '@utensil/core/storage';
import type {
  ByteRange,
  StorageChange,
  StorageCommit,
  EntryKey,
  StorageExpectation,
  ListQuery,
  StorageTree,
} from '@utensil/core/storage';
import { isTree, splitCommit } from './protocol.ts';

// Requests are untrusted. The values parsed here have exactly the expected members and types, and every path is one
// that `resolvePath` returns.

/** Maximum length of a path, in characters; record paths can be this long. */
const maxPath = 8192;

/** Maximum number of entries per page. */
const maxEntries = 5000;

/** Latest time that a date can represent. */
const maxTime = 8.64e15;

/** Error for an invalid request. */
export function invalid(hint: string): Error {
  return fileError('EINVAL', '/', { hint });
}

/** Parses JSON bytes. Throws `EINVAL`. */
export function toJsonValue(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('The request is not valid JSON in UTF-8.');
  }
}

/** Keys of a `stat` request. */
export function toKeys(value: unknown, limit: number): readonly EntryKey[] {
  const { keys } = membersOf(value, ['keys']);
  return listOf(keys, 'keys', limit).map((key) => toKey(membersOf(key, ['tree', 'path'])));
}

/** The tree and path of an object with other members. */
export function toKey({ tree, path }: { readonly [name: string]: unknown }): EntryKey {
  if (!isTree(tree)) throw invalid("A tree must be 'files' or 'records'.");
  return { tree, path: toPath(path, tree) };
}

function toPath(path: unknown, tree: StorageTree): string {
  if (typeof path !== 'string') throw invalid('A path must be a string.');
  if (path.length > maxPath)
    throw fileError('ENAMETOOLONG', '/', { hint: `A path may have at most ${maxPath} bytes.` });
  if (tree === 'records' && isRecordPath(path)) return path;
  if (resolvePath(path) !== path)
    throw fileError('EINVAL', path, { hint: `A path must be normalized: '${resolvePath(path)}'.` });
  return path;
}

/** True for the record path of a long id, which is longer and deeper than any file path, but equally harmless. */
function isRecordPath(path: string): boolean {
  return path.startsWith('/') && path.slice(1).split('/').every(isAddressable);
}

/** The listing that the address requests. */
export function toQuery(query: URLSearchParams): ListQuery {
  const key = toKey({ tree: query.get('tree'), path: query.get('path') });
  const after = query.get('after');
  const asked = {
    ...key,
    depth: toCount(query.get('depth'), 'depth'),
    limit: Math.min(toCount(query.get('limit'), 'limit'), maxEntries),
  };
  return after === null ? asked : { ...asked, after: toPath(after, key.tree) };
}

function toCount(text: string | null, name: string): number {
  const count = /^\d{1,16}$/.test(text ?? '') ? Number(text) : 0;
  if (count < 1 || !Number.isSafeInteger(count)) throw invalid(`The ${name} must be a positive integer.`);
  return count;
}

/** The byte range of a header. Forms other than `bytes=1-2` and `bytes=1-` are ignored, as HTTP permits. */
export function toRange(text: string | null): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (first === '') return undefined;
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last) + 1];
  return end > start ? { start, end } : undefined;
}

/** The commit in a body. */
export function toCommit(body: Uint8Array, limit: number): StorageCommit {
  const parts = splitCommit(body);
  if (parts === undefined) throw invalid('A commit must begin with a line of JSON.');
  const members = membersOf(toJsonValue(parts.line), ['expect', 'changes', 'time'], ['durable']);
  const { expect, changes, time, durable = false } = members;
  if (typeof time !== 'number' || !(time >= 0 && time <= maxTime))
    throw invalid('The time must be a number of milliseconds.');
  if (typeof durable !== 'boolean') throw invalid("The member 'durable' of a commit must be a boolean.");
  let at = 0;
  const take = (size: unknown): Uint8Array => {
    const end = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? at + size : Infinity;
    if (end > parts.rest.length) throw invalid('The sizes in a commit must match the contents after it.');
    const content = parts.rest.subarray(at, end);
    at = end;
    return content;
  };
  const commit = {
    expect: listOf(expect, 'expectations', limit).map(toExpectation),
    changes: listOf(changes, 'changes', limit).map((change) => toChange(change, take)),
    time,
    ...(durable && { durable }),
  };
  if (at !== parts.rest.length) throw invalid('A commit has more contents than sizes.');
  return commit;
}

function toExpectation(value: unknown): StorageExpectation {
  const members = membersOf(value, ['tree', 'path', 'etag']);
  const { etag } = members;
  if (etag !== null && typeof etag !== 'string') throw invalid('An etag must be a string, or null to expect no entry.');
  return { ...toKey(members), etag };
}

function toChange(value: unknown, take: (size: unknown) => Uint8Array): StorageChange {
  const type = isObject(value) && Object.hasOwn(value, 'type') ? value['type'] : undefined;
  const key = ['type', 'tree', 'path'];
  switch (type) {
    case 'write': {
      const members = membersOf(value, [...key, 'size'], ['like']);
      const { size, like } = members;
      const write = { type, ...toKey(members), content: take(size) } as const;
      return like === undefined ? write : { ...write, like: toKey(membersOf(like, ['tree', 'path'])) };
    }
    case 'make-directory':
      return { type, ...toKey(membersOf(value, key)) };
    case 'remove': {
      const members = membersOf(value, key, ['recursive']);
      const { recursive = false } = members;
      if (typeof recursive !== 'boolean') throw invalid("The member 'recursive' of a removal must be a boolean.");
      return { type, ...toKey(members), recursive };
    }
    case 'move': {
      const members = membersOf(value, [...key, 'to']);
      return { type, ...toKey(members), to: toKey(membersOf(members['to'], ['tree', 'path'])) };
    }
    default:
      throw invalid("The type of a change must be 'write', 'make-directory', 'remove' or 'move'.");
  }
}

/** Members of an object with exactly these names. */
function membersOf(
  value: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalid(`An object with the members ${required.join(', ')} is required.`);
  const isWhole = required.every((name) => Object.hasOwn(value, name));
  const isExact = Object.keys(value).every((name) => required.includes(name) || optional.includes(name));
  if (!isWhole || !isExact) throw invalid(`An object has members other than ${[...required, ...optional].join(', ')}.`);
  return value;
}

function listOf(value: unknown, what: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`The ${what} must be an array.`);
  if (value.length > limit) throw invalid(`There are ${value.length} ${what}; the limit is ${limit}.`);
  return value;
}

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

// Whoever sends a request may want to do harm: what is made of it here has exactly the members that are wanted, of the
// wanted types, and each of its paths is one that `resolvePath` gives.

/** No path that is worth a look is longer, in characters: a record's may be so long. */
const maxPath = 8192;

/** As many entries are given at once. */
const maxEntries = 5000;

/** The latest moment that a date can be. */
const maxTime = 8.64e15;

/** An error about what was sent. */
export function invalid(hint: string): Error {
  return fileError('EINVAL', '/', { hint });
}

/** The JSON in some bytes. Throws `EINVAL`. */
export function toJsonValue(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('The request is no JSON in UTF-8.');
  }
}

/** The keys that a `stat` asks for. */
export function toKeys(value: unknown, limit: number): readonly EntryKey[] {
  const { keys } = membersOf(value, ['keys']);
  return listOf(keys, 'keys', limit).map((key) => toKey(membersOf(key, ['tree', 'path'])));
}

/** A tree and a path that stand beside other members. */
export function toKey({ tree, path }: { readonly [name: string]: unknown }): EntryKey {
  if (!isTree(tree)) throw invalid("A tree is 'files' or 'records'.");
  return { tree, path: toPath(path, tree) };
}

function toPath(path: unknown, tree: StorageTree): string {
  if (typeof path !== 'string') throw invalid('A path is a text.');
  if (path.length > maxPath) throw fileError('ENAMETOOLONG', '/', { hint: `A path has at most ${maxPath} bytes.` });
  if (tree === 'records' && isRecordPath(path)) return path;
  if (resolvePath(path) !== path)
    throw fileError('EINVAL', path, { hint: `A path is sent in its normal form, which is '${resolvePath(path)}'.` });
  return path;
}

/** Of a record with a long id, whose path is longer and deeper than that of any file, and just as harmless. */
function isRecordPath(path: string): boolean {
  return path.startsWith('/') && path.slice(1).split('/').every(isAddressable);
}

/** A listing, as the address asks for it. */
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
  if (count < 1 || !Number.isSafeInteger(count)) throw invalid(`The ${name} is a whole number from 1 on.`);
  return count;
}

/** The one range of bytes that a header asks for. Others than `bytes=1-2` and `bytes=1-` may be ignored, and are. */
export function toRange(text: string | null): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (first === '') return undefined;
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last) + 1];
  return end > start ? { start, end } : undefined;
}

/** The commit in a body. */
export function toCommit(body: Uint8Array, limit: number): StorageCommit {
  const parts = splitCommit(body);
  if (parts === undefined) throw invalid('A commit begins with a line of JSON.');
  const members = membersOf(toJsonValue(parts.line), ['expect', 'changes', 'time'], ['durable']);
  const { expect, changes, time, durable = false } = members;
  if (typeof time !== 'number' || !(time >= 0 && time <= maxTime)) throw invalid('The time is in milliseconds.');
  if (typeof durable !== 'boolean') throw invalid('Whether a commit is durable is true or false.');
  let at = 0;
  const take = (size: unknown): Uint8Array => {
    const end = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? at + size : Infinity;
    if (end > parts.rest.length) throw invalid('The sizes in a commit are those of the contents after it.');
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
  if (at !== parts.rest.length) throw invalid('There are more contents in a commit than it has sizes for.');
  return commit;
}

function toExpectation(value: unknown): StorageExpectation {
  const members = membersOf(value, ['tree', 'path', 'etag']);
  const { etag } = members;
  if (etag !== null && typeof etag !== 'string') throw invalid('An etag is a text, or null where nothing is expected.');
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
      if (typeof recursive !== 'boolean') throw invalid('Whether a removal is recursive is true or false.');
      return { type, ...toKey(members), recursive };
    }
    case 'move': {
      const members = membersOf(value, [...key, 'to']);
      return { type, ...toKey(members), to: toKey(membersOf(members['to'], ['tree', 'path'])) };
    }
    default:
      throw invalid("The type of a change is 'write', 'make-directory', 'remove' or 'move'.");
  }
}

/** The members of an object that has these, and no others than these. */
function membersOf(
  value: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalid(`An object with ${required.join(', ')} is missing.`);
  const isWhole = required.every((name) => Object.hasOwn(value, name));
  const isExact = Object.keys(value).every((name) => required.includes(name) || optional.includes(name));
  if (!isWhole || !isExact) throw invalid(`An object has other members than ${[...required, ...optional].join(', ')}.`);
  return value;
}

function listOf(value: unknown, what: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`The ${what} are a list.`);
  if (value.length > limit) throw invalid(`There are ${value.length} ${what}, and ${limit} are the limit.`);
  return value;
}

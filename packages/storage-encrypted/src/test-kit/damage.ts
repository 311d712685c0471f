// For tests: an encrypted storage, and the storage below it, which can be damaged.

import type { StorageChange, EntryKey, StorageDriver } from '@utensil/core/storage';
import { encryptedStorage } from '../encrypted.ts';
import type { NamesPolicy } from '../header.ts';

/** The key of every storage in these tests. */
export const key = new Uint8Array(32).fill(7);

/** An encrypted storage and the one below it. */
export interface Damageable {
  readonly inner: StorageDriver;
  readonly driver: StorageDriver;
  /** Opens the same storage again, with empty caches. */
  reopen(): StorageDriver;
}

/** An encrypted storage over one that can be opened more than once. It has its header already. */
export async function damageable(open: () => StorageDriver, names: NamesPolicy): Promise<Damageable> {
  const reopen = (): StorageDriver => encryptedStorage(open(), key, { names });
  const driver = reopen();
  await driver.commit({ expect: [], changes: [], time: 1 });
  return { inner: open(), driver, reopen };
}

/** All stored entries, undecrypted. */
export async function allBelow(inner: StorageDriver): Promise<readonly EntryKey[]> {
  const query = { path: '/', depth: 99, limit: 10_000 };
  const trees = ['files', 'records'] as const;
  return (await Promise.all(trees.map((tree) => inner.list({ tree, ...query })))).flat();
}

/** Entries that some work writes, undecrypted. */
export async function storedBy(inner: StorageDriver, work: () => Promise<unknown>): Promise<readonly EntryKey[]> {
  const etags = async (): Promise<Map<string, EntryKey>> => {
    const found = await inner.stat(await allBelow(inner));
    return new Map(found.flatMap((each) => (each?.kind === 'file' ? [[`${each.etag} ${each.path}`, each]] : [])));
  };
  const before = await etags();
  await work();
  return [...(await etags())].filter(([text]) => !before.has(text)).map(([, { tree, path }]) => ({ tree, path }));
}

/** Key of the one content that some work writes, without markers and long names. */
export async function contentBy(inner: StorageDriver, work: () => Promise<unknown>): Promise<EntryKey> {
  const written = (await storedBy(inner, work)).filter(({ path }) => !/\/[fk][a-z2-7]{32}$/.test(path));
  const [first, second] = written;
  if (first === undefined || second !== undefined) throw new Error(`${written.length} contents were written.`);
  return first;
}

/** The bytes that are stored at a key. */
export async function bytesAt(inner: StorageDriver, at: EntryKey): Promise<Uint8Array> {
  return (await inner.read(at))?.content ?? new Uint8Array();
}

/** Makes changes in the storage below. */
export async function alter(inner: StorageDriver, ...changes: readonly StorageChange[]): Promise<void> {
  const { ok } = await inner.commit({ expect: [], changes, time: 1 });
  if (!ok) throw new Error('The storage below did not take the change.');
}

/** Puts other bytes where something is stored. */
export async function overwrite(inner: StorageDriver, { tree, path }: EntryKey, content: Uint8Array): Promise<void> {
  await alter(inner, { type: 'write', tree, path, content });
}

/** The ways in which a stored content goes wrong. */
export const damages: Readonly<Record<string, (stored: Uint8Array) => Uint8Array>> = {
  'a flipped bit in its head': (stored) => stored.map((byte, index) => (index === 9 ? byte ^ 4 : byte)),
  'a flipped bit in its content': (stored) => stored.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
  'its end cut off': (stored) => stored.slice(0, -3),
  'nothing left but half of its head': (stored) => stored.slice(0, 20),
  'nothing left of it': () => new Uint8Array(),
  'another file in its place': () => new TextEncoder().encode('not encrypted at all, but as long as what is.'),
};

import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { directoryEtag, foldCase } from '@utensil/core';
import type { Entry, EntryKey } from '@utensil/core';
import { hostPath, isForbidden, withoutEnd } from './disk.ts';
import type { Disk } from './disk.ts';
import { unless } from './refusal.ts';

/** What the disk has at a key. */
export type Found =
  | { readonly kind: 'file'; readonly stats: BigIntStats }
  /** Without stats: the root of a tree that nothing was written to yet. */
  | { readonly kind: 'directory'; readonly stats: BigIntStats | undefined }
  | { readonly kind: 'missing' }
  /** A disk that ignores case has it under another name. */
  | { readonly kind: 'respelled'; readonly name: string }
  /** A link, a device, a reserved name, or something behind a link. */
  | { readonly kind: 'untouchable' };

/** Paths of the disk that were just found to lead where they say; all that is above such a path does, too. */
export type Straight = Set<string>;

/** Looks up a key, following no link; `straight`: what was found of others at the same time. */
export async function find(disk: Disk, key: EntryKey, straight: Straight = new Set()): Promise<Found> {
  if (isForbidden(key)) return { kind: 'untouchable' };
  const host = hostPath(disk.root, key);
  const stats = await statsAt(disk, host);
  if (stats === undefined) return key.path === '/' ? { kind: 'directory', stats } : { kind: 'missing' };
  const isLinkedRoot = key.tree === 'files' && key.path === '/' && stats.isSymbolicLink();
  if (!stats.isFile() && !stats.isDirectory() && !isLinkedRoot) return { kind: 'untouchable' };
  const kind = stats.isFile() ? 'file' : 'directory';
  if (straight.has(host)) return { kind, stats };
  const real = await realOf(disk, host);
  if (real === undefined) return { kind: 'missing' };
  const expected = await straightPath(disk, host);
  if (real === expected) {
    note(straight, host, disk.root);
    return { kind, stats };
  }
  const isRespelled = foldCase(real) === foldCase(expected);
  return isRespelled ? { kind: 'respelled', name: basename(real) } : { kind: 'untouchable' };
}

function note(straight: Straight, host: string, root: string): void {
  for (let at = host; at.length > root.length && !straight.has(at); at = dirname(at)) straight.add(at);
}

/** What the disk says of a path of it; undefined where there is nothing. */
export async function statsAt({ fs }: Pick<Disk, 'fs'>, host: string): Promise<BigIntStats | undefined> {
  return unless(() => fs.lstat(host, { bigint: true }), 'ENOENT', 'ENOTDIR');
}

/** Whether a path leads to where it says, by no link and in no other spelling. */
export async function isStraight(disk: Disk, host: string): Promise<boolean> {
  const real = await realOf(disk, host);
  return real !== undefined && real === (await straightPath(disk, host));
}

/** Where a path of the root leads without a link. */
async function straightPath({ root, realRoot }: Disk, host: string): Promise<string> {
  return withoutEnd(await realRoot()) + host.slice(withoutEnd(root).length) || host;
}

async function realOf({ fs }: Disk, host: string): Promise<string | undefined> {
  return unless(() => fs.realpath(host), 'ENOENT', 'ENOTDIR', 'ELOOP');
}

/** The entry at a key where this was found; undefined where that is nothing which people can have. */
export async function describe(disk: Disk, key: EntryKey, found: Found): Promise<Entry | undefined> {
  if (found.kind !== 'file' && found.kind !== 'directory') return undefined;
  const { tree, path } = key;
  const modifiedAt = Number(found.stats?.mtimeMs ?? 0);
  if (found.kind === 'directory') return { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag };
  const version = await disk.versions.of(hostPath(disk.root, key), found.stats);
  return version && { tree, path, kind: 'file', ...version };
}

/** The entry at a key. */
export async function lookUp(disk: Disk, key: EntryKey, straight?: Straight): Promise<Entry | undefined> {
  return describe(disk, key, await find(disk, key, straight));
}

/** The entries at keys. Those above come before what is below them, so the last say most of where the others lead. */
export async function lookUpAll(disk: Disk, keys: readonly EntryKey[]): Promise<readonly (Entry | undefined)[]> {
  const straight: Straight = new Set();
  const last = keys.slice(-2).toReversed();
  const found: (Entry | undefined)[] = [];
  for (const key of last) found.unshift(await lookUp(disk, key, straight));
  const others = await Promise.all(keys.slice(0, -2).map((key) => lookUp(disk, key, straight)));
  return [...others, ...found];
}

import type { BigIntStats } from 'node:fs';
import { basename } from 'node:path';
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

/** Looks up a key, following no link. */
export async function find(disk: Disk, key: EntryKey): Promise<Found> {
  if (isForbidden(key)) return { kind: 'untouchable' };
  const host = hostPath(disk.root, key);
  const stats = await statsAt(disk, host);
  if (stats === undefined) return key.path === '/' ? { kind: 'directory', stats } : { kind: 'missing' };
  const isLinkedRoot = key.tree === 'files' && key.path === '/' && stats.isSymbolicLink();
  if (!stats.isFile() && !stats.isDirectory() && !isLinkedRoot) return { kind: 'untouchable' };
  const real = await realOf(disk, host);
  if (real === undefined) return { kind: 'missing' };
  const straight = await straightPath(disk, host);
  if (real === straight) return { kind: stats.isFile() ? 'file' : 'directory', stats };
  const isRespelled = foldCase(real) === foldCase(straight);
  return isRespelled ? { kind: 'respelled', name: basename(real) } : { kind: 'untouchable' };
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
export async function lookUp(disk: Disk, key: EntryKey): Promise<Entry | undefined> {
  return describe(disk, key, await find(disk, key));
}

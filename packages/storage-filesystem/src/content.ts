import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { ByteRange, StorageEntry } from '@utensil/core/storage';
import type { FileSystem, OpenFile } from './file-system.ts';
import { codeOf } from './refusal.ts';

/** Attributes that identify the content of a file. */
export type Version = Pick<StorageEntry, 'etag' | 'modifiedAt' | 'size'>;

/** Above this size the etag is computed from the stats, so that a listing need not read a film. */
const largestHashed = 16 * 1024 * 1024;

/**
 * A file or directory can change again within one tick of the disk's clock; only after this time are its stats proof.
 */
export const settledMs = 2000;

const maxKnown = 50_000;

/** Versions of files. */
export interface Versions {
  /** Version of the file with these stats; undefined if it is gone. */
  of(host: string, stats: BigIntStats): Promise<Version | undefined>;
  /** Reads a file if no link leads to it; undefined if it is gone, `unreadable` without permission. */
  read(host: string, range?: ByteRange): Promise<ReadFile | 'unreadable' | undefined>;
}

/** A file as read; `content` is the requested range. */
export interface ReadFile {
  readonly content: Uint8Array;
  readonly version: Version;
}

/** True if no link led to an open file; `replaced` if another file is at its path now. */
export type CheckPlace = (file: OpenFile, host: string) => Promise<boolean | 'replaced'>;

interface Reading {
  readonly range?: ByteRange | undefined;
  /** Stats from an earlier check: the same file needs no further proof. */
  readonly seen?: BigIntStats;
}

/** Maximum number of attempts to open a file that others keep replacing. */
const maxOpens = 5;

/**
 * Computes versions from contents, so that edits by other programs are detected, and caches those that stats can prove.
 */
export function createVersions(fs: FileSystem, checkPlace: CheckPlace): Versions {
  const known = new Map<string, string>();
  const recall = (host: string, stats: BigIntStats): string | undefined =>
    isLarge(stats) ? signatureOf(stats) : known.get(`${signatureOf(stats)} ${host}`);

  function learn(host: string, stats: BigIntStats, etag: string): void {
    if (known.size >= maxKnown) known.clear();
    known.set(`${signatureOf(stats)} ${host}`, etag);
  }

  async function readOpen(
    file: OpenFile,
    host: string,
    { range, seen }: Reading,
  ): Promise<ReadFile | 'replaced' | undefined> {
    const startedAt = Date.now();
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return undefined;
    const isSeen = seen?.ino === stats.ino && seen.dev === stats.dev;
    const isInPlace = isSeen || (await checkPlace(file, host));
    if (isInPlace !== true) return isInPlace || undefined;
    const etag = range === undefined ? undefined : recall(host, stats);
    if (range !== undefined && etag !== undefined) {
      const end = Math.min(range.end, Number(stats.size));
      return { content: await readBytes(file, { start: range.start, end }), version: versionOf(stats, etag) };
    }
    const whole = await readBytes(file, { start: 0, end: Number(stats.size) });
    const version = { ...versionOf(stats, etagOf(whole, stats)), size: whole.length };
    if (startedAt - Number(stats.ctimeMs) > settledMs && !isLarge(stats)) learn(host, stats, version.etag);
    return { content: range === undefined ? whole : whole.slice(range.start, range.end), version };
  }

  async function open(host: string, reading: Reading): ReturnType<typeof readOpen> {
    const file = await fs.open(host, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return await readOpen(file, host, reading);
    } finally {
      await file.close();
    }
  }

  async function read(host: string, reading: Reading): ReturnType<Versions['read']> {
    try {
      for (let opens = 0; opens < maxOpens; opens++) {
        const found = await open(host, reading);
        if (found !== 'replaced') return found;
      }
      return undefined;
    } catch (error) {
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return 'unreadable';
      if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  return {
    async of(host, stats) {
      const etag = recall(host, stats);
      if (etag !== undefined) return versionOf(stats, etag);
      const found = await read(host, { seen: stats });
      return found === 'unreadable' ? versionOf(stats, signatureOf(stats)) : found?.version;
    },
    read: (host, range) => read(host, { range }),
  };
}

/** Reads a range; fewer bytes if the file ends before it. */
async function readBytes(file: OpenFile, { start, end }: ByteRange): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, end - start));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, {
      offset: length,
      length: bytes.length - length,
      position: start + length,
    });
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/** Version of a content in a file with these stats. */
export function versionOf(stats: BigIntStats, etag: string): Version {
  return { etag, size: Number(stats.size), modifiedAt: Number(stats.mtimeMs) };
}

/** Etag of a content in a file with these stats: 128 bits of its SHA-256. */
export function etagOf(content: Uint8Array, stats?: BigIntStats): string {
  return stats !== undefined && isLarge(stats) ? signatureOf(stats) : hash('sha256', content, 'hex').slice(0, 32);
}

/** True for a file too large to be hashed. */
export function isLarge({ size }: BigIntStats): boolean {
  return size > largestHashed;
}

/** Text that changes with every change of a file or directory, except within one tick of the disk's clock. */
export function signatureOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}-${ctimeNs}`;
}

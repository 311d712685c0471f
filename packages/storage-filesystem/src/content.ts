import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ByteRange, Entry } from '@utensil/core';
import type { FileSystem } from './disk.ts';
import { codeOf } from './refusal.ts';

/** What identifies the content of a file. */
export type Version = Pick<Entry, 'etag' | 'modifiedAt' | 'size'>;

/** Beyond this size the etag is made of the stats: nobody waits for a film to be read before they see its name. */
const largestHashed = 16 * 1024 * 1024;

/** A file can change again within one tick of the disk's clock; after this time its stats are a proof. */
const settledMs = 2000;

const maxKnown = 50_000;

/** The version of the file at a path, whose stats were these; undefined where there is none any more. */
export type Versions = (host: string, stats: BigIntStats) => Promise<Version | undefined>;

/** Finds versions by content, so that the edit of any other program is seen, and remembers what stats can prove. */
export function createVersions(fs: FileSystem): Versions {
  const known = new Map<string, string>();
  return async (host, stats) => {
    const key = `${signatureOf(stats)} ${host}`;
    const etag = isLarge(stats) ? signatureOf(stats) : known.get(key);
    if (etag !== undefined) return versionOf(stats, etag);
    const startedAt = Date.now();
    const found = await readContent(fs, host);
    if (found === 'unreadable') return versionOf(stats, signatureOf(stats));
    if (found === undefined) return undefined;
    if (startedAt - Number(found.stats.ctimeMs) > settledMs) {
      if (known.size >= maxKnown) known.clear();
      known.set(`${signatureOf(found.stats)} ${host}`, found.version.etag);
    }
    return found.version;
  };
}

/** A file as it was read: `content` is the range that was asked for. */
export interface ReadFile {
  readonly content: Uint8Array;
  readonly version: Version;
  readonly stats: BigIntStats;
}

/** Reads a file, following no link; `unreadable` where the user may not. */
export async function readContent(
  fs: FileSystem,
  host: string,
  range?: ByteRange,
): Promise<ReadFile | 'unreadable' | undefined> {
  try {
    const handle = await fs.open(host, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return await readOpen(handle, range);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return 'unreadable';
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

async function readOpen(handle: FileHandle, range?: ByteRange): Promise<ReadFile | undefined> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return undefined;
  if (range !== undefined && isLarge(stats)) {
    const length = Math.max(0, Math.min(range.end, Number(stats.size)) - range.start);
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, range.start);
    return { content: buffer.subarray(0, bytesRead), version: versionOf(stats, signatureOf(stats)), stats };
  }
  const whole = new Uint8Array(await handle.readFile());
  const version = { ...versionOf(stats, etagOf(whole, stats)), size: whole.length };
  return { content: range === undefined ? whole : whole.slice(range.start, range.end), version, stats };
}

/** The version of a content that is in a file of these stats. */
export function versionOf(stats: BigIntStats, etag: string): Version {
  return { etag, size: Number(stats.size), modifiedAt: Number(stats.mtimeMs) };
}

/** The etag of a content that is in a file of these stats: 128 bits of its SHA-256. */
export function etagOf(content: Uint8Array, stats: BigIntStats): string {
  return isLarge(stats) ? signatureOf(stats) : createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function isLarge({ size }: BigIntStats): boolean {
  return size > largestHashed;
}

function signatureOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].map((value) => value.toString(36)).join('-');
}

import type { BigIntStats } from 'node:fs';
import { withoutEnd } from './disk.ts';
import type { Disk } from './disk.ts';
import { unless } from './refusal.ts';

/** What the disk says of a path of it; undefined where there is nothing. */
export async function statsAt({ fs }: Pick<Disk, 'fs'>, host: string): Promise<BigIntStats | undefined> {
  return unless(() => fs.lstat(host, { bigint: true }), 'ENOENT', 'ENOTDIR');
}

/** Where a path of the root leads without a link. */
export async function straightPath({ root, realRoot }: Pick<Disk, 'root' | 'realRoot'>, host: string): Promise<string> {
  return withoutEnd(await realRoot()) + host.slice(withoutEnd(root).length) || host;
}

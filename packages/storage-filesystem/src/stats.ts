import type { BigIntStats } from 'node:fs';
import { withoutEnd } from './host-path.ts';
import type { Answer, Root } from './file-system.ts';
import { unless } from './refusal.ts';
import { isLater } from './together.ts';

/** What the disk says of a path of it; undefined where there is nothing. */
export function statsAt({ fs }: Pick<Root, 'fs'>, host: string): Answer<BigIntStats | undefined> {
  return unless(() => fs.lstat(host, { bigint: true }), 'ENOENT', 'ENOTDIR');
}

/** The same; undefined also where the disk does not say. */
export async function statsIfKnown(disk: Pick<Root, 'fs'>, host: string): Promise<BigIntStats | undefined> {
  try {
    return await statsAt(disk, host);
  } catch {
    return undefined;
  }
}

/** Where a path of the root leads without a link. */
export function straightPath({ root, realRoot }: Pick<Root, 'root' | 'realRoot'>, host: string): Answer<string> {
  const join = (real: string): string => withoutEnd(real) + host.slice(withoutEnd(root).length) || host;
  const real = realRoot();
  return isLater(real) ? real.then(join) : join(real);
}

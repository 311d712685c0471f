import type { BigIntStats } from 'node:fs';
import { withoutEnd } from './host-path.ts';
import type { Answer, Root } from './file-system.ts';
import { unless } from './refusal.ts';
import { isLater } from './together.ts';

/** Stats of a path; undefined if it is missing. */
export function statsAt({ fs }: Pick<Root, 'fs'>, host: string): Answer<BigIntStats | undefined> {
  return unless(() => fs.lstat(host, { bigint: true }), 'ENOENT', 'ENOTDIR');
}

/** The same; also undefined if the disk reports an error. */
export async function statsIfKnown(disk: Pick<Root, 'fs'>, host: string): Promise<BigIntStats | undefined> {
  try {
    return await statsAt(disk, host);
  } catch {
    return undefined;
  }
}

/** The real path of a path of the root, provided that it contains no links below the root. */
export function straightPath({ root, realRoot }: Pick<Root, 'root' | 'realRoot'>, host: string): Answer<string> {
  const join = (real: string): string => withoutEnd(real) + host.slice(withoutEnd(root).length) || host;
  const real = realRoot();
  return isLater(real) ? real.then(join) : join(real);
}

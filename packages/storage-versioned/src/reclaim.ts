import { compact } from './compact.ts';
import type { CompactOptions } from './compact.ts';

const hour = 60 * 60 * 1000;

/** Makes room in a full storage by what its retention allows. After it was in vain, it is not tried again for an hour. */
export function createReclaim(options: CompactOptions): () => Promise<boolean> {
  let inVainAt = -Infinity;
  return async () => {
    const now = options.now();
    if (Math.abs(now - inVainAt) < hour) return false;
    const { versions, trashed } = await compact(options).catch(() => nothing); // what it is for says what is wrong
    const hasRoom = versions + trashed > 0;
    if (!hasRoom) inVainAt = now;
    return hasRoom;
  };
}

const nothing = { versions: 0, trashed: 0 };

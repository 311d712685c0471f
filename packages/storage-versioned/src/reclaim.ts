import { compact } from './compact.ts';
import type { CompactOptions } from './compact.ts';

const hour = 60 * 60 * 1000;

/** Frees space in a full storage by applying its retention. If that frees nothing, waits an hour before the next attempt. */
export function createReclaim(options: CompactOptions): () => Promise<boolean> {
  let inVainAt = -Infinity;
  return async () => {
    const now = options.now();
    if (Math.abs(now - inVainAt) < hour) return false;
    const { versions, trashed } = await compact(options).catch(() => nothing); // the original error tells what is wrong
    const hasRoom = versions + trashed > 0;
    if (!hasRoom) inVainAt = now;
    return hasRoom;
  };
}

const nothing = { versions: 0, trashed: 0 };

import { memoryStorage } from '@utensil/storage-memory';
import type { Json } from '../../base/json.ts';
import { recordFile } from '../../files/record-key.ts';
import { tree } from '../../records/content.ts';
import { createRecords } from '../../records/records.ts';
import type { Scene } from './scene.ts';
import { claimKeys, storedClaim } from './stored-claim.ts';

/** Kinds of damage: half of a record, none, an empty one, and one that was stored under an earlier claim. */
export const damages = ['half', 'none', 'empty', 'earlier'] as const;

/** One act of a program that damages the records of claims. */
export interface Damage {
  readonly record: 'owner' | 'lease';
  readonly leaves: (typeof damages)[number];
}

type Stored = Readonly<Record<Damage['record'], Json>>;

/**
 * Damages the records of claims while two programs compete, but never both at once: nothing would be left of who has
 * the thread.
 */
export async function vandalize({ race, scheduler, state }: Scene): Promise<void> {
  const driver = memoryStorage({ state, namespace: 'main' });
  const records = createRecords(driver);
  const earlier: Stored[] = [];

  for (const { record, leaves } of race.damages ?? []) {
    await scheduler.schedule(Promise.resolve(), `vandal: ${leaves} of the ${record}`);
    const { owner, lease } = await storedClaim(state);
    const fence = owner?.fence;
    if (fence === undefined || fence !== lease?.fence) continue;
    earlier[fence] ??= { owner, lease } as Stored;
    const before = earlier.find((claim, index) => claim !== undefined && index < fence)?.[record];
    const key = claimKeys[record];
    if (leaves === 'none') await records.remove(key);
    else if (leaves === 'empty') await records.put(key, {});
    else if (leaves === 'half') {
      const content = new TextEncoder().encode('{"half');
      const change = { type: 'write', tree, path: recordFile(key), content } as const;
      await driver.commit({ expect: [], changes: [change], time: 0 });
    } else if (before !== undefined) await records.put(key, before);
  }
}

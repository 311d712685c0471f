import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { recordFile } from '../../files/record-key.ts';
import type { RecordKey } from '../../files/record-key.ts';
import type { StorageChange } from '../../files/storage/driver.ts';
import { tree } from '../../records/content.ts';
import { draftKey } from '../../thread/append-plan.ts';
import { indexKey } from '../../thread/question-index.ts';
import type { Damage, Scene } from './scene.ts';
import { claimKeys, storedClaim } from './stored-claim.ts';
import type { StoredClaim } from './stored-claim.ts';

/** Records of a thread, except its log: what is lost from that is lost. */
const keys: Readonly<Record<Damage['record'], RecordKey>> = {
  ...claimKeys,
  summary: ['threads', 't'],
  draft: draftKey(['threads', 't']),
  questions: indexKey(['threads', 't']),
};

export const damage: fc.Arbitrary<Damage> = fc.record({
  record: fc.constantFrom('owner', 'lease', 'summary', 'draft', 'questions'),
  leaves: fc.constantFrom('half', 'none', 'empty', 'earlier'),
});

/**
 * Damages records of a thread while two programs compete for it, but never both of its claim at once: nothing would be
 * left of who has the thread.
 */
export async function vandalize({ race, scheduler, state }: Scene): Promise<void> {
  const driver = memoryStorage({ state, namespace: 'main' });
  const change = (one: StorageChange): Promise<unknown> => driver.commit({ expect: [], changes: [one], time: 0 });
  const earlier: StoredClaim[] = [];

  for (const { record, leaves } of race.damages ?? []) {
    await scheduler.schedule(Promise.resolve(), `vandal: ${leaves} of the ${record}`);
    const { owner, lease } = await storedClaim(state);
    const isWhole = owner !== undefined && owner.fence === lease?.fence;
    if (!isWhole && record in claimKeys) continue;
    const before = earlier.find((claim) => claim.lease?.fence !== lease?.fence)?.[record as keyof StoredClaim];
    if (isWhole) earlier.push({ owner, lease });
    const content = encode({ half: '{"half', empty: '{}', earlier: JSON.stringify(before), none: undefined }[leaves]);
    const place = { tree, path: recordFile(keys[record]) } as const;
    const [isThere] = await driver.stat([place]);
    if (content !== undefined) await change({ ...place, type: 'write', content });
    else if (isThere && leaves === 'none') await change({ ...place, type: 'remove' });
  }
}

function encode(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

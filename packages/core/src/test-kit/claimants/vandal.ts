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

/** Every record of a thread but its log, which cannot be restored. */
const keys: Readonly<Record<Damage['record'], RecordKey>> = {
  ...claimKeys,
  summary: ['threads', 't'],
  draft: draftKey(['threads', 't']),
  questions: indexKey(['threads', 't']),
};

const damageTo = (record: Damage['record'], ...leaves: readonly Damage['leaves'][]): fc.Arbitrary<Damage> =>
  fc.record({ record: fc.constant(record), leaves: fc.constantFrom(...leaves) });

/** Any damage. */
export const damage: fc.Arbitrary<Damage> = fc.oneof(
  damageTo('owner', 'half', 'none', 'empty', 'earlier'),
  damageTo('lease', 'half', 'none', 'empty', 'earlier'),
  damageTo('summary', 'half', 'none', 'empty'),
  damageTo('draft', 'half', 'none', 'empty'),
  damageTo('questions', 'half', 'none', 'empty'),
);

/**
 * Damages records of a thread while two programs compete for it, but never both of its claim at once: nothing would
 * say who has the thread.
 */
export async function vandalize({ race, scheduler, state }: Scene): Promise<void> {
  const driver = memoryStorage({ state, namespace: 'main' });
  const change = (one: StorageChange): Promise<unknown> => driver.commit({ expect: [], changes: [one], time: 0 });
  const earlier: StoredClaim[] = [];

  for (const { record, leaves } of race.damages ?? []) {
    await scheduler.schedule(Promise.resolve(), `vandal: ${leaves} of the ${record}`);
    const { owner, lease } = await storedClaim(state);
    const isWhole = owner !== undefined && owner.fence === lease?.fence;
    if (!isWhole && isOfClaim(record)) continue;
    const [before] = earlier.filter((claim) => claim.lease?.fence !== lease?.fence);
    if (isWhole) earlier.push({ owner, lease });
    const copy = isOfClaim(record) ? JSON.stringify(before?.[record]) : undefined;
    const text = { half: '{"half', empty: '{}', earlier: copy, none: undefined }[leaves];
    const place = { tree, path: recordFile(keys[record]) } as const;
    const [isThere] = await driver.stat([place]);
    if (text !== undefined) await change({ ...place, type: 'write', content: new TextEncoder().encode(text) });
    else if (isThere && leaves === 'none') await change({ ...place, type: 'remove' });
  }
}

function isOfClaim(record: Damage['record']): record is keyof StoredClaim {
  return record in claimKeys;
}

import { memoryStorage } from '@utensil/storage-memory';
import { createRecords } from '../../records/records.ts';
import { leaseKey, ownerKey } from '../../thread/claim-records.ts';
import type { Scene } from './scene.ts';

/** Records of the claim, as an observer finds them. */
export interface StoredClaim {
  readonly owner: { readonly fence?: number; readonly runId?: string } | undefined;
  readonly lease: { readonly fence?: number } | undefined;
}

export const claimKeys = { owner: ownerKey(['threads', 't']), lease: leaseKey(['threads', 't']) };

/** Reads the records of the claim, and changes nothing. A damaged one is undefined. */
export async function storedClaim(state: Scene['state']): Promise<StoredClaim> {
  const records = createRecords(memoryStorage({ state, namespace: 'main' }));
  const [owner, lease] = await Promise.all(
    Object.values(claimKeys).map(async (key) => (await records.get(key).catch(() => undefined))?.value),
  );
  return { owner, lease } as StoredClaim;
}

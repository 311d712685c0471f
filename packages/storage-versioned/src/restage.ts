import { fileError } from '@utensil/core/files';
import { createCommitStage } from '@utensil/core/storage';
import type { StorageCommitResult, StorageDriver } from '@utensil/core/storage';
import type { Shared } from './shared.ts';

/** Only a storage under constant writes by others exceeds this many attempts. */
const maxAttempts = 10;

/** Runs an operation on a stage and commits the result; starts over if another commit interferes. */
export async function restage<Result>(
  { driver, now }: Shared,
  work: (driver: StorageDriver, time: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const time = now();
    const stage = createCommitStage(driver, { copies: false });
    let result: Result;
    try {
      result = await work(stage.driver, time);
    } catch (error) {
      if (attempt === maxAttempts || (await stage.isCurrent())) throw error;
      continue;
    }
    const committed = await stage.commit(time);
    if (committed.ok) return result;
    refuseTwin(committed);
    if (attempt === maxAttempts) throw busy(committed);
  }
}

type Conflict = StorageCommitResult & { readonly ok: false };

function refuseTwin({ conflict, entry }: Conflict): void {
  if (entry === undefined || entry.path === conflict.path) return;
  const hint = `'${entry.path}' differs from it only in case: choose another path.`;
  throw fileError('EEXIST', conflict.path, { hint });
}

/** Error that does not reveal the path of the history. */
function busy({ conflict: { tree, path } }: Conflict): Error {
  const hint = 'Others keep changing it: try again in a moment.';
  return fileError('ECONFLICT', tree === 'files' ? path : '/', { hint, retryable: true });
}

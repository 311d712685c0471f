import { wrapCalls } from './wrap-calls.ts';
import type { StorageDriver } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import { endWhenIdle } from './idle.ts';
import type { Queue, Turn } from './queue.ts';
import { retry } from './retry.ts';
import type { Attempt } from './retry.ts';
import { createCommitStage } from './storage/stage/stage.ts';
import type { Store } from './transaction.ts';

/** Work whose changes are committed together. */
type Work<Result> = (driver: StorageDriver) => Promise<Result>;

/**
 * Number of attempts after which work that let others go ahead, and then met a conflict, is assumed to have caused it.
 */
const maxDisturbances = 5;

/**
 * Runs work on a stage and commits everything it changed; starts over if another change came in between. Batches take
 * turns with each other and with all other work in the queue.
 */
export function createBatch(store: Store, queue: Queue) {
  return async <Result>(work: Work<Result>): Promise<Result> => {
    let turn = await queue.turn();
    let disturbances = 0;
    try {
      return await retry('/', async (number) => {
        if (turn.isOver()) turn = await queue.turn();
        const outcome = await attempt(store, work, { turn, number });
        const isDone = outcome !== undefined && 'result' in outcome;
        if (!isDone && turn.isOver() && ++disturbances === maxDisturbances) throw disturbed();
        return outcome;
      });
    } finally {
      turn.end();
    }
  };
}

/** Retried even if the work throws: it may have thrown because it saw a mix of old and new state. */
async function attempt<Result>(
  { driver, now }: Store,
  work: Work<Result>,
  { turn, number }: { readonly turn: Turn; readonly number: number },
): Promise<Attempt<Result>> {
  const stage = createCommitStage(driver, { copies: false });
  const stop = endWhenIdle(turn, number);
  let result: Result;
  try {
    result = await turn.call(() => work(wrapCalls(stage.driver, turn.activity.during)));
  } catch (error) {
    if (await stage.isCurrent()) throw error;
    return undefined;
  } finally {
    stop();
  }
  const committed = stage.isEmpty() ? undefined : await stage.commit(now());
  return committed?.ok === false ? committed : { result };
}

function disturbed(): Error {
  const hint =
    'The work of the batch waits for something that changes what it has looked at: let it change files only by those that it is given.';
  return fileError('ECONFLICT', '/', { hint });
}

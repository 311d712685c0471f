import type { StorageDriver } from './driver.ts';
import { createStage } from './stage/stage.ts';
import { retry } from './transaction.ts';
import type { Store } from './transaction.ts';

/**
 * Does some work on a stage and commits all of it, again from the beginning whenever something came in between: also where
 * the work throws, as that may be because of what it saw of before and of after.
 */
export async function batch<Result>(
  { driver, now }: Store,
  work: (driver: StorageDriver) => Promise<Result>,
): Promise<Result> {
  return retry('/', async () => {
    const stage = createStage(driver, { copies: false });
    let result: Result;
    try {
      result = await work(stage.driver);
    } catch (error) {
      if (await stage.isCurrent()) throw error;
      return undefined;
    }
    const committed = stage.isEmpty() ? undefined : await stage.commit(now());
    return committed?.ok === false ? committed : { result };
  });
}

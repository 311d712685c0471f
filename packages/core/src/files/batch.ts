import type { StorageDriver } from './driver.ts';
import { createStage } from './stage/stage.ts';
import { retry } from './transaction.ts';
import type { Store } from './transaction.ts';

/** Does some work on a stage and commits all of it, again from the beginning whenever something came in between. */
export async function batch<Result>(
  { driver, now }: Store,
  work: (driver: StorageDriver) => Promise<Result>,
): Promise<Result> {
  return retry('/', async () => {
    const stage = createStage(driver);
    const result = await work(stage.driver);
    const committed = stage.isEmpty() ? undefined : await stage.commit(now());
    return committed?.ok === false ? committed : { result };
  });
}

// Runs in the page: the variants for IndexedDB, and a function that measures one of them.

import { indexeddbStorage } from '@utensil/storage-indexeddb';
import type { Job } from './job.ts';
import type { Keeper } from './keeper.ts';
import { rawIndexeddb } from './raw-indexeddb.ts';
import { perform, type Reading, type Timing } from './scenarios.ts';
import { utensil } from './utensil.ts';
import { zenfs } from './zenfs.ts';

/** Opens a storage of files in its own database. */
type Open = (database: string) => Promise<Keeper>;

const plain = { versions: false, counts: false };

const keepers: Readonly<Record<string, Open>> = {
  utensil: async (database) => utensil(indexeddbStorage({ database }), plain),
  versions: async (database) => utensil(indexeddbStorage({ database }), { ...plain, versions: true }),
  raw: (database) => rawIndexeddb(database, 'relaxed'),
  zenfs,
  durable: async (database) => utensil(indexeddbStorage({ database, durability: 'strict' }), plain),
  'raw-durable': (database) => rawIndexeddb(database, 'strict'),
};

/** Interface between the page and its opener. */
export interface PageScope {
  measure(job: Job): Promise<readonly Timing[]>;
  /** Usage of the browser so far. */
  meter(): Promise<Reading>;
  gc?(): void;
}

const scope = globalThis as unknown as PageScope;

scope.measure = async ({ variant, scenario, amounts, warmUp }) => {
  const open = keepers[variant];
  if (open === undefined) throw new Error(`There is no variant "${variant}" of "indexeddb".`);
  const inDatabase = async (name: string, amount: Job['amounts']) => {
    const keeper = await open(name);
    const timings = await perform(scenario, keeper, { amounts: amount, meter: () => scope.meter() });
    await keeper.close();
    return timings;
  };
  await inDatabase('warm-up', warmUp);
  scope.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return inDatabase('measured', amounts);
};

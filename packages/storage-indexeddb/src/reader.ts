import type { ByteRange, Entry, EntryKey } from '@utensil/core';
import type { Connection } from './connection.ts';
import { readContent } from './content.ts';
import { entryOf, placeOf } from './key.ts';
import { lookUp } from './look-up.ts';
import { isLost } from './refusal.ts';
import type { Transaction } from './schema.ts';

/** A file with a range of its content. */
interface Found {
  readonly entry: Entry;
  readonly content: Uint8Array;
}

/** Reads files. */
export type Reader = (key: EntryKey, range?: ByteRange) => Promise<Found | undefined>;

interface Job {
  readonly place: string;
  readonly range: ByteRange | undefined;
  resolve(found: Found | undefined): void;
  reject(reason: unknown): void;
}

type Keys = Awaited<ReturnType<typeof lookUp>>;

/**
 * What is asked for until the first of them has been looked up goes into its transaction, which is most of what reading
 * a small file costs. Nothing can have been committed in between: that waits for earlier transactions. Each is answered
 * as soon as its content is there.
 */
export function createReader(connection: Connection, scope: string): Reader {
  let joining: Job[] | undefined;

  async function begin(first: Job): Promise<void> {
    const joined: Job[] = (joining = []);
    const end = (): void => {
      if (joining === joined) joining = undefined;
    };
    try {
      await connection.use('readonly', async (transaction) => {
        const entries = transaction.objectStore('entries');
        const found = await lookUp(entries, [first.place]);
        end();
        const others = lookUp(
          entries,
          joined.map(({ place }) => place),
        );
        await Promise.all([answer(transaction, [first], found), answer(transaction, joined, others)]);
      });
    } catch (error) {
      end();
      for (const { reject } of [first, ...joined]) reject(error);
    }
  }

  async function answer(transaction: Transaction, jobs: readonly Job[], keys: Keys | Promise<Keys>): Promise<void> {
    const found = await keys;
    const answers = jobs.map(async ({ place, range, resolve, reject }) => {
      const [key] = found.get(place) ?? [];
      const entry = key === undefined ? undefined : entryOf(scope, key);
      if (entry?.kind !== 'file') return resolve(undefined);
      try {
        resolve({ entry, content: await readContent(transaction, entry, range) });
      } catch (error) {
        if (isLost(error)) throw error; // all are asked for again
        reject(error);
      }
    });
    await Promise.all(answers);
  }

  return async (key, range) => {
    if (key.path === '/') return undefined;
    return new Promise((resolve, reject) => {
      const job = { place: placeOf(scope, key), range, resolve, reject };
      if (joining === undefined) void begin(job);
      else joining.push(job);
    });
  };
}

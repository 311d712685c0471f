import type { ByteRange, StorageEntry, EntryKey } from '@utensil/core/storage';
import type { Connection } from './connection.ts';
import { readContent } from './content.ts';
import { entryOf, keysAt, placeOf } from './key.ts';
import { lookUp } from './look-up.ts';
import { isLost } from './refusal.ts';
import type { Transaction } from './schema.ts';

/** A file and a range of its content. */
interface Found {
  readonly entry: StorageEntry;
  readonly content: Uint8Array;
}

export type Reader = (key: EntryKey, range?: ByteRange) => Promise<Found | undefined>;

interface Job {
  readonly place: string;
  readonly range: ByteRange | undefined;
  resolve(found: Found | undefined): void;
  reject(reason: unknown): void;
}

/**
 * Reads requested before the first lookup completes share one transaction, which is most of the cost of a small read.
 * No commit can come in between, because commits wait for earlier transactions. Each read resolves as soon as its
 * content arrives.
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
        const key = await transaction.objectStore('entries').getKey(keysAt(first.place));
        end();
        await Promise.all([answer(transaction, first, key), answerAll(transaction, joined)]);
      });
    } catch (error) {
      end();
      for (const { reject } of [first, ...joined]) reject(error);
    }
  }

  async function answerAll(transaction: Transaction, jobs: readonly Job[]): Promise<void> {
    const places = jobs.map(({ place }) => place);
    const found = await lookUp(transaction.objectStore('entries'), places);
    await Promise.all(jobs.map((job) => answer(transaction, job, found.get(job.place)?.[0])));
  }

  async function answer(transaction: Transaction, job: Job, key: string | undefined): Promise<void> {
    const entry = key === undefined ? undefined : entryOf(scope, key);
    if (entry?.kind !== 'file') return job.resolve(undefined);
    try {
      job.resolve({ entry, content: await readContent(transaction, entry, job.range) });
    } catch (error) {
      if (isLost(error)) throw error; // all of them are retried
      job.reject(error);
    }
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

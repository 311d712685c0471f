import type { StorageCommitResult, EntryKey } from '@utensil/core/storage';
import { commitAll } from './commit.ts';
import type { PreparedCommit } from './commit.ts';
import type { Connection } from './connection.ts';
import { isQuotaExceeded } from './refusal.ts';
import type { Transaction } from './schema.ts';

/** Makes the commits of a storage, in the order in which it is asked for them. */
export type Committer = (commit: PreparedCommit) => Promise<StorageCommitResult>;

/** Where a {@link Committer} works, and whom it tells of what it did. */
export interface CommitterOptions {
  readonly scope: string;
  tell(changed: readonly EntryKey[]): void;
}

interface Job {
  readonly commit: PreparedCommit;
  resolve(result: StorageCommitResult): void;
  reject(reason: unknown): void;
}

/** A transaction of more than this gains nothing. */
const maxGroup = 100;

/**
 * What is asked for at once, or while another commit is made, goes into one transaction: that is most of what a small
 * commit costs. It is strict if one of them is durable. Where there is no room for all of them, each is made on its own.
 */
export function createCommitter(connection: Connection, { scope, tell }: CommitterOptions): Committer {
  let waiting: Job[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    await Promise.resolve(); // whoever asks for several at once has asked for all of them now
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      await commitGroup(group);
    }
    working = undefined;
  }

  async function commitGroup(group: readonly Job[]): Promise<void> {
    const commits = group.map(({ commit }) => commit);
    const durability = commits.some(({ durable }) => durable) ? { durability: 'strict' as const } : {};
    try {
      const make = (transaction: Transaction<'readwrite'>) => commitAll(transaction, scope, commits);
      const results = await connection.use('readwrite', make, durability);
      const changed = commits.flatMap((commit, index) => (results[index]?.ok === true ? commit.changed : []));
      if (changed.length > 0) tell(changed);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as StorageCommitResult);
    } catch (error) {
      const areTooMany = group.length > 1 && isQuotaExceeded(error);
      for (const job of group) {
        if (areTooMany) await commitGroup([job]);
        else job.reject(error);
      }
    }
  }

  return (commit) =>
    new Promise((resolve, reject) => {
      waiting.push({ commit, resolve, reject });
      working ??= work();
    });
}

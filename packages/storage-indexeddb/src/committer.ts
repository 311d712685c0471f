import type { StorageCommitResult, EntryKey } from '@utensil/core/storage';
import { commitAll } from './commit.ts';
import type { PreparedCommit } from './commit.ts';
import type { Connection } from './connection.ts';
import { isQuotaExceeded } from './refusal.ts';
import type { Transaction } from './schema.ts';

/** Makes the commits of a storage, in the order of the calls. */
export type Committer = (commit: PreparedCommit) => Promise<StorageCommitResult>;

/** Options of {@link createCommitter}. */
export interface CommitterOptions {
  readonly scope: string;
  tell(changed: readonly EntryKey[]): void;
}

interface Job {
  readonly commit: PreparedCommit;
  resolve(result: StorageCommitResult): void;
  reject(reason: unknown): void;
}

/** Larger transactions gain nothing. */
const maxGroup = 100;

/**
 * Commits requested together, or during another commit, share one transaction, which is most of the cost of a small
 * commit. The transaction is strict if one of them is durable. If the quota does not suffice for all of them, each gets
 * its own.
 */
export function createCommitter(connection: Connection, { scope, tell }: CommitterOptions): Committer {
  let waiting: Job[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    await Promise.resolve(); // lets the caller issue all calls of this turn
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

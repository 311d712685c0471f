import type { CommitResult } from '@utensil/core';
import { commitAll } from './commit.ts';
import type { PreparedCommit } from './commit.ts';
import type { Connection } from './connection.ts';
import { isQuotaExceeded } from './refusal.ts';

/** Makes the commits of a storage, in the order in which it is asked for them. */
export interface Committer {
  commit(commit: PreparedCommit): Promise<CommitResult>;
  /** Resolves once nothing is left to do. */
  idle(): Promise<void>;
}

interface Job {
  readonly commit: PreparedCommit;
  resolve(result: CommitResult): void;
  reject(reason: unknown): void;
}

/** A transaction of more than this gains nothing. */
const maxGroup = 100;

/**
 * What is asked for at once, or while another commit is made, goes into one transaction: that is most of what a small
 * commit costs. Where something is in the way of one of them, each is made on its own.
 */
export function createCommitter(connection: Connection, scope: string): Committer {
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
    try {
      const results = await attempt(commits, commits.every(isForeseeable));
      for (const [index, job] of group.entries()) {
        if ('ok' in results) await commitAlone(job);
        else job.resolve(results[index] as CommitResult);
      }
    } catch (error) {
      for (const job of group) {
        if (group.length > 1 && isQuotaExceeded(error)) await commitAlone(job);
        else job.reject(error);
      }
    }
  }

  async function commitAlone({ commit, resolve, reject }: Job): Promise<void> {
    await attempt([commit], false)
      .then((results) => ('ok' in results ? results : (results[0] as CommitResult)))
      .then(resolve, reject);
  }

  function attempt(commits: readonly PreparedCommit[], isBold: boolean): ReturnType<typeof commitAll> {
    return connection.use('readwrite', (transaction) => commitAll(transaction, { scope, commits, isBold }));
  }

  return {
    commit: (commit) =>
      new Promise((resolve, reject) => {
        waiting.push({ commit, resolve, reject });
        working ??= work();
      }),
    idle: async () => working,
  };
}

/** A move writes what it reads first. */
function isForeseeable({ changes }: PreparedCommit): boolean {
  return changes.every(({ type }) => type !== 'move');
}

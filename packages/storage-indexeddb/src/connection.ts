import { openDB } from 'idb';
import { blockedError, isLost, missingError } from './refusal.ts';
import { steps as allSteps, stores } from './schema.ts';
import type { Database, Step, Transaction } from './schema.ts';

/** A database connection, opened on demand and reopened if it is lost. */
export interface Connection {
  /** Name of the database. */
  readonly name: string;
  /** Runs an operation in a transaction. Retries once on a new connection if a lost one cannot have committed. */
  use<Mode extends 'readonly' | 'readwrite', Result>(
    mode: Mode,
    work: (transaction: Transaction<Mode>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Closes the connection after pending transactions. */
  release(): void;
}

/** Overrides of the connection's transaction options. */
export interface TransactionOptions {
  readonly durability?: 'relaxed' | 'strict';
}

/** Options of {@link createConnection}. */
export interface ConnectionOptions extends TransactionOptions {
  readonly steps?: readonly Step[];
}

/** Time limit for other tabs to close their connections; they may still be committing. */
const blockedTimeoutMs = 1000;

export function createConnection(name: string, options: ConnectionOptions = {}): Connection {
  const { durability = 'relaxed', steps = allSteps } = options;
  let opening: Opening | undefined;

  function release(): void {
    opening?.database.then((database) => database.close()).catch(() => {});
    opening = undefined;
  }

  async function connect(): Promise<Database> {
    const current = (opening ??= openDatabase(name, steps, () => {
      if (opening === current) opening = undefined;
    }));
    return Promise.race([current.database, current.blocked]);
  }

  async function use<Mode extends 'readonly' | 'readwrite', Result>(
    mode: Mode,
    work: (transaction: Transaction<Mode>) => Promise<Result>,
    wanted: TransactionOptions = {},
  ): Promise<Result> {
    for (let isAgain = false; ; isAgain = true) {
      let transaction: Transaction<Mode> | undefined;
      try {
        transaction = (await connect()).transaction(stores, mode, { durability, ...wanted });
        transaction.done.catch(() => {}); // reported by the operation, or ignored on purpose
        return await work(transaction);
      } catch (error) {
        if (!isLost(error)) throw error;
        release();
        if (isAgain || (transaction !== undefined && mode === 'readwrite')) throw error;
      }
    }
  }

  return { name, use, release };
}

interface Opening {
  readonly database: Promise<Database>;
  /** Rejects if other tabs have blocked the opening for too long. */
  readonly blocked: Promise<never>;
}

function openDatabase(name: string, steps: readonly Step[], onEnd: () => void): Opening {
  let refuse: (reason: unknown) => void = () => {};
  const blocked = new Promise<never>((_, reject) => (refuse = reject));
  blocked.catch(() => {});
  const database = openLatest(name, steps, {
    blocked: () =>
      setTimeout(() => refuse(new DOMException('Other tabs have it open.', blockedError)), blockedTimeoutMs),
    blocking: (_version, _wanted, event) => {
      onEnd();
      (event.target as IDBDatabase).close();
    },
    terminated: onEnd,
  });
  database.catch(onEnd);
  return { database, blocked };
}

async function openLatest(
  name: string,
  steps: readonly Step[],
  callbacks: Parameters<typeof openDB>[2],
): Promise<Database> {
  if (globalThis.indexedDB === undefined) throw new DOMException('There is no IndexedDB.', missingError);
  return openDB(name, steps.length, {
    ...callbacks,
    upgrade(database, oldVersion) {
      for (const step of steps.slice(oldVersion)) step(database);
    },
  });
}

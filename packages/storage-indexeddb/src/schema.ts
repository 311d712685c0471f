import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';

/** Object stores of the database. */
export interface Schema extends DBSchema {
  /** Entries are keys without values: see key.ts. */
  readonly entries: { readonly key: string; readonly value: 0 };
  /** Folded places of names that {@link foldCase} changes, followed by the names themselves. */
  readonly spellings: { readonly key: string; readonly value: 0 };
  /** File contents in pieces, by etag and number. They are never modified. */
  readonly contents: { readonly key: [etag: string, piece: number]; readonly value: Uint8Array };
}

export const stores = ['entries', 'spellings', 'contents'] as const;

export type Database = IDBPDatabase<Schema>;
export type Transaction<Mode extends IDBTransactionMode = IDBTransactionMode> = IDBPTransaction<
  Schema,
  typeof stores,
  Mode
>;

/** Migrates from one database version to the next, with exclusive access. */
export type Step = (database: Database) => void;

/** Migrations; their number is the database version. Released ones are never changed: add another. */
export const steps: readonly Step[] = [
  (database) => {
    for (const name of stores) database.createObjectStore(name);
  },
];

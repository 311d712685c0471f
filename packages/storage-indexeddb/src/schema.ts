import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';

/** The object stores of the database. */
export interface Schema extends DBSchema {
  /** The keys are all there is: see key.ts. */
  readonly entries: { readonly key: string; readonly value: 0 };
  /** The places of names that {@link foldCase} changes, folded, and after that the names. */
  readonly spellings: { readonly key: string; readonly value: 0 };
  /** The contents of files in pieces, by etag and number. They are never changed. */
  readonly contents: { readonly key: [etag: string, piece: number]; readonly value: Uint8Array };
}

export const stores = ['entries', 'spellings', 'contents'] as const;

export type Database = IDBPDatabase<Schema>;
export type Transaction<Mode extends IDBTransactionMode = IDBTransactionMode> = IDBPTransaction<
  Schema,
  typeof stores,
  Mode
>;

/** Leads from one version of the database to the next, while nobody else has it open. */
export type Step = (database: Database) => void;

/** How many there are is the version of the database. What was released is never changed, only followed by another. */
export const steps: readonly Step[] = [
  (database) => {
    for (const name of stores) database.createObjectStore(name);
  },
];

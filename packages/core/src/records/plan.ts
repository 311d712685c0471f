import type { StorageChange, StorageEntry, StorageExpectation, StorageDriver } from '../files/storage/driver.ts';
import { inParallel } from '../files/in-parallel.ts';
import { ancestorsOf } from '../files/paths.ts';
import { equalBytes } from '../files/text.ts';
import type { Json } from '../base/json.ts';
import { readStored, toRecord, tree } from './content.ts';
import type { RecordContent, StoredRecord } from './content.ts';
import type { RecordKey } from '../files/record-key.ts';

interface Content {
  readonly value: Json;
  readonly content: Uint8Array;
}

/** A change of a record, with its paths in the storage. */
export type Edit = { readonly path: string; readonly directory?: string } & (
  | ({ readonly type: 'put'; readonly key: RecordKey } & Content)
  /** `path` is the directory of the log. */
  | ({ readonly type: 'append'; readonly log: RecordKey } & Content)
  /** `directory`, if given, is removed too. */
  | { readonly type: 'remove'; readonly key: RecordKey }
);

/** A record that a commit writes. */
export interface NewRecord extends Content {
  readonly key: RecordKey;
  readonly path: string;
  /** Directory of the log that it is appended to. */
  readonly log?: string;
}

/** An expectation, with its path in the storage. */
export interface Expected {
  readonly key: RecordKey;
  readonly path: string;
  readonly etag: string | null;
}

/** State of the storage at the paths of a commit. */
export interface Found {
  entryAt(path: string): StorageEntry | undefined;
  etagAt(path: string): string | null;
  /** Content of a record that may be overwritten. */
  contentAt(path: string): RecordContent | undefined;
}

/** Maximum number of records to read at once. */
const atOnce = 64;

/** Looks up all paths of a commit in one call, and in parallel reads the records that it may overwrite. */
export async function lookUp(
  driver: StorageDriver,
  edits: readonly Edit[],
  expected: readonly Expected[],
): Promise<Found> {
  const absent = new Set(expected.flatMap(({ etag, path }) => (etag === null ? path : [])));
  const overwritten = edits.flatMap((edit) => (edit.type === 'put' && !absent.has(edit.path) ? edit : []));
  const looked = new Set([...edits.flatMap(placesOf), ...expected.map(({ path }) => path)]);
  for (const { path } of overwritten) looked.delete(path);
  const paths = [...looked];
  const [entries, contents] = await Promise.all([
    paths.length === 0 ? [] : driver.stat(paths.map((path) => ({ tree, path }))),
    readAll(driver, overwritten),
  ]);
  const found = new Map(paths.map((path, index) => [path, entries[index]]));
  const entryAt = (path: string): StorageEntry | undefined => contents.get(path)?.entry ?? found.get(path);
  return { entryAt, etagAt: (path) => entryAt(path)?.etag ?? null, contentAt: (path) => contents.get(path) };
}

/** Directories that a change needs, and entries that it removes. */
function placesOf({ type, path, directory }: Edit): readonly string[] {
  if (type === 'put') return ancestorsOf(path);
  if (type === 'append') return [...ancestorsOf(path), path];
  return directory === undefined ? [path] : [path, directory];
}

async function readAll(
  driver: StorageDriver,
  edits: readonly Extract<Edit, { readonly type: 'put' }>[],
): Promise<ReadonlyMap<string, RecordContent | undefined>> {
  const contents = new Map<string, RecordContent | undefined>();
  const reading = inParallel(edits, atOnce, async ({ key, path }) => [path, await readStored(driver, key)] as const);
  for await (const [path, content] of reading) contents.set(path, content);
  return contents;
}

interface PlannedCommit {
  readonly edits: readonly Edit[];
  readonly expected: readonly Expected[];
  readonly written: readonly NewRecord[];
  readonly durable: boolean;
}

interface Plan {
  readonly commit: { readonly expect: readonly StorageExpectation[]; readonly changes: readonly StorageChange[] };
  /** True if there is nothing to commit: no change, and at most one expectation, which held when it was looked up. */
  readonly isDone: boolean;
  /** Written records, with the etags that the storage gave them. */
  records(entries: readonly StorageEntry[]): readonly StoredRecord[];
}

/** Plans the commit to the storage. Throws `record_corrupt` instead of overwriting an unreadable record. */
export function planCommit({ edits, expected, written, durable }: PlannedCommit, found: Found): Plan {
  const expect = new Map(expected.map(({ path, etag }) => [path, etag]));
  const assume = (path: string): unknown => expect.has(path) || expect.set(path, found.etagAt(path));
  const directories = new Set(written.flatMap(({ path }) => ancestorsOf(path)));
  const missing = [...directories].filter((path) => found.entryAt(path) === undefined);
  const kept = new Map<string, StoredRecord>();
  const changes: StorageChange[] = missing.map((path) => ({ type: 'make-directory', tree, path }));
  for (const path of missing) assume(path);
  for (const { key, path, content } of written) {
    const present = found.contentAt(path);
    const before = present && toRecord(key, present);
    const isThere = present !== undefined && equalBytes(present.content, content);
    assume(path);
    // Identical content may not be durable yet, so a durable commit writes it again.
    if (before !== undefined && isThere && !durable) kept.set(path, before);
    else changes.push({ type: 'write', tree, path, content });
  }
  for (const edit of edits) changes.push(...removals(edit, found, assume));
  const isDone = changes.length === 0 && expect.size <= (durable ? 0 : 1);
  return {
    commit: { expect: [...expect].map(([path, etag]) => ({ tree, path, etag })), changes },
    isDone,
    records(entries) {
      const versions = new Map(entries.map((entry) => [entry.path, entry]));
      return written.map(({ key, value, path }) => {
        const { etag = '', modifiedAt = 0 } = versions.get(path) ?? {};
        return kept.get(path) ?? { key, value, etag, modifiedAt };
      });
    },
  };
}

function removals(edit: Edit, found: Found, assume: (path: string) => unknown): readonly StorageChange[] {
  if (edit.type !== 'remove') return [];
  const places = placesOf(edit);
  const present = places.filter((path) => found.entryAt(path) !== undefined);
  // An entry that appears before the commit would have to be removed too.
  if (present.length > 0) for (const path of places) if (!present.includes(path)) assume(path);
  return present.map((path) => ({ type: 'remove', tree, path, recursive: edit.directory !== undefined }));
}

import { encoder } from '../../base/text-encoding.ts';
import { isUtensilError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { isObject } from '../../base/json.ts';
import { recordFile, recordKeyOf } from '../record-key.ts';
import type { EntryKey, StorageDriver } from '../storage/driver.ts';
import { entriesBelow } from '../reading.ts';
import { locate, settle } from '../transaction.ts';
import type { Additions } from '../transaction.ts';

// Outside content is identified by its SHA-256, not by its path, so that it stays marked when it is copied, moved or
// restored from a version. An etag would not survive these, and is unknown before the commit.

const tree = 'records';
const directories = { content: '/.outside', name: '/.outside-names' } as const; // no record key produces a dot
type Kind = keyof typeof directories;

/** Outside content to record, by its digest, or an outside name. */
interface OutsideRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly sources: readonly string[];
}

/** The ledger of a project's outside content: one record each, in the storage of its files. */
export interface Ledger {
  /** Reads the records, once per session, or each time without a session. */
  open(driver: StorageDriver, session?: object): Promise<KnownContent>;
  /** The records read, and those added by commits since, including commits under way. */
  readonly entries: Entries;
}

/** The known outside content of a project. */
export interface KnownContent {
  readonly isEmpty: boolean;
  /**
   * Used if the storage denies access to its records: everything counts as outside content, and nothing is recorded.
   */
  readonly isHidden: boolean;
  has(digest: string): boolean;
  hasName(name: string): boolean;
}

interface Entries extends KnownContent {
  isHidden: boolean;
  add(kind: Kind, id: string): void;
  remove(digest: string): void;
}

const ledgers = new WeakMap<StorageDriver, Ledger>();

/** The ledger of a storage, shared by all files over the same storage object. */
export function ledgerOf(storage: StorageDriver): Ledger {
  const found = ledgers.get(storage) ?? createLedger();
  ledgers.set(storage, found);
  return found;
}

function createLedger(): Ledger {
  const entries = createEntries();
  const opened = new WeakMap<object, Promise<void>>();

  async function read(driver: StorageDriver): Promise<void> {
    try {
      await readAll(driver);
      entries.isHidden = false;
    } catch (error) {
      if (!isUtensilError(error, 'EACCES')) throw error;
      entries.isHidden = true;
    }
  }

  async function readAll(driver: StorageDriver): Promise<void> {
    for (const kind of ['content', 'name'] as const) {
      const directory = directories[kind];
      for await (const { path } of entriesBelow(driver, { tree, path: directory })) {
        const id = recordKeyOf(path.slice(directory.length))?.[0];
        if (id !== undefined) entries.add(kind, id);
      }
    }
  }

  return {
    entries,
    async open(driver, session) {
      const reading = (session && opened.get(session)) ?? read(driver);
      if (session !== undefined) opened.set(session, reading);
      await reading.catch((error: unknown) => {
        if (session !== undefined) opened.delete(session); // a failed read may succeed the next time
        throw error;
      });
      return entries;
    },
  };
}

function createEntries(): Entries {
  const known = { content: new Set<string>(), name: new Set<string>() };
  const entries: Entries = {
    isHidden: false,
    get isEmpty() {
      return !entries.isHidden && known.content.size === 0 && known.name.size === 0;
    },
    has: (digest) => entries.isHidden || known.content.has(digest),
    hasName: (name) => known.name.has(name),
    add: (kind, id) => void known[kind].add(id),
    remove: (digest) => void known.content.delete(digest),
  };
  return entries;
}

/** Changes that record outside content; none if it is recorded already. */
export async function recordOutside(
  { entries }: Ledger,
  driver: StorageDriver,
  { kind, id, sources }: OutsideRecord,
): Promise<Additions> {
  entries.add(kind, id);
  const path = directories[kind] + recordFile([id]);
  const location = await locate(driver, tree, path);
  if (location.entry !== undefined) return { expect: [], changes: [] };
  const { expect, changes } = settle(tree, path, location);
  const content = encoder.encode(`${JSON.stringify({ sources })}\n`);
  return { expect, changes: [...changes, { type: 'write', tree, path, content }] };
}

/** Changes that remove the record of a content. */
export async function forgetContent({ entries }: Ledger, driver: StorageDriver, digest: string): Promise<Additions> {
  const key: EntryKey = { tree, path: directories.content + recordFile([digest]) };
  const [entry] = await driver.stat([key]);
  entries.remove(digest);
  return entry === undefined
    ? { expect: [], changes: [] }
    : { expect: [{ ...key, etag: entry.etag }], changes: [{ ...key, type: 'remove' }] };
}

/** Sources of a content; none if its record cannot be read. */
export async function sourcesOf(driver: StorageDriver, digest: string): Promise<readonly string[]> {
  try {
    const found = await driver.read({ tree, path: directories.content + recordFile([digest]) });
    const value: unknown = JSON.parse(new TextDecoder().decode(found?.content));
    const sources = isObject(value) ? value['sources'] : undefined;
    return Array.isArray(sources) ? sources.filter((source) => typeof source === 'string') : [];
  } catch {
    return []; // it counts as outside content anyway
  }
}

/** SHA-256 of a content; undefined for an empty one, which carries no message. */
export async function digestOf(bytes: Uint8Array): Promise<string | undefined> {
  return bytes.length === 0 ? undefined : sha256Hex(bytes);
}

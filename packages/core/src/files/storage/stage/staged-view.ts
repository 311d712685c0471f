import type { ByteRange, StorageEntry, EntryKey, ListedEntry, ListQuery, StorageDriver } from '../driver.ts';
import { fileError } from '../../file-error.ts';
import { comparePaths } from '../../paths.ts';
import { entriesBelow } from '../../reading.ts';
import { nameOfKey } from './staged-changes.ts';
import type { Node, Sheet } from './staged-changes.ts';

/** The storage's answer for a key. */
export interface Seen {
  readonly key: EntryKey;
  readonly entry: StorageEntry | undefined;
}

/** A storage with staged changes applied. Each entry of the storage is looked up once. */
export interface View {
  find(key: EntryKey): Promise<Node | undefined>;
  findAll(keys: readonly EntryKey[]): Promise<readonly (Node | undefined)[]>;
  list(query: ListQuery): Promise<readonly ListedEntry[]>;
  read(key: EntryKey, range?: ByteRange): ReturnType<StorageDriver['read']>;
  /** All lookups. */
  seen(): Iterable<Seen>;
}

export function createView(base: StorageDriver, sheet: Sheet): View {
  const seen = new Map<string, Seen>();

  async function ask(asked: readonly EntryKey[]): Promise<void> {
    const found = await base.stat(asked);
    for (const [index, { tree, path }] of asked.entries()) {
      const key = { tree, path };
      if (!seen.has(nameOfKey(key))) seen.set(nameOfKey(key), { key, entry: found[index] }); // unless a concurrent lookup was faster
    }
  }

  /** The entry at a key, if it was staged or looked up. */
  function nodeOf(key: EntryKey, staged: Node | null | undefined): Node | undefined {
    if (staged !== undefined) return staged ?? undefined;
    const entry = seen.get(nameOfKey(key))?.entry;
    return entry && { entry };
  }

  async function findAll(keys: readonly EntryKey[]): Promise<readonly (Node | undefined)[]> {
    const staged = keys.map((key) => sheet.find(key));
    const unknown = keys.filter((key, index) => staged[index] === undefined && !seen.has(nameOfKey(key)));
    if (unknown.length > 0) await ask(unknown);
    return keys.map((key, index) => nodeOf(key, staged[index]));
  }

  async function find(key: EntryKey): Promise<Node | undefined> {
    const staged = sheet.find(key);
    if (staged === undefined && !seen.has(nameOfKey(key))) await ask([key]);
    return nodeOf(key, staged);
  }

  async function list(query: ListQuery): Promise<readonly ListedEntry[]> {
    const { limit } = query;
    const entries: ListedEntry[] = [];
    for (const { entry } of sheet.below(query)) {
      if (entries.length >= limit) break;
      entries.push(withoutEtag(entry));
    }
    let fromBase = 0;
    for await (const entry of entriesBelow(base, query, query)) {
      if (sheet.find(entry) !== undefined) continue;
      entries.push(entry);
      if (++fromBase >= limit) break;
    }
    return entries.sort((left, right) => comparePaths(left.path, right.path)).slice(0, limit);
  }

  return {
    find,
    findAll,
    list,
    async read(key, range) {
      const node = await find(key);
      if (node?.entry.kind !== 'file') return undefined;
      const { entry, content, origin = key } = node;
      if (content !== undefined) return { entry, content: content.slice(range?.start, range?.end) };
      const found = await base.read(origin, range);
      if (found?.entry.etag !== entry.etag) throw outdated(key);
      return { entry, content: found.content };
    },
    seen: () => seen.values(),
  };
}

function withoutEtag({ tree, path, kind, size, modifiedAt }: StorageEntry): ListedEntry {
  return { tree, path, kind, size, modifiedAt };
}

/** Each entry is looked up once. If the storage has changed since, only a new stage can succeed. */
export function outdated({ path }: EntryKey): Error {
  const hint = 'It was changed while this was running, so nothing was written. Run it again.';
  return fileError('ECONFLICT', path, { hint, retryable: true });
}

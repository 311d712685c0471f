import { isUtensilError } from '@utensil/core';
import { isWithin, joinPath } from '@utensil/core/files';
import { comparePaths } from '@utensil/core/storage';
import type { EntryKey, ListedEntry, ListQuery, StorageDriver } from '@utensil/core/storage';
import { isHeader } from './header.ts';
import type { Names } from './names.ts';
import { plainEntry } from './place.ts';

/** Dependencies of a listing. */
export interface Listed {
  readonly driver: StorageDriver;
  readonly names: Names;
}

/** A stored entry and its plain name. */
export interface Child {
  readonly name: string;
  readonly entry: ListedEntry;
}

/** Number of entries per page of the underlying listing. */
const pageSize = 1000;

/**
 * Lists the entries below a directory. Order follows plain names, so each directory is read completely before it is
 * listed.
 */
export async function listBelow(listed: Listed, query: ListQuery, stored: EntryKey): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  await collect(listed, { query, stored }, entries);
  return entries;
}

interface Directory {
  readonly query: ListQuery;
  readonly stored: EntryKey;
}

async function collect(listed: Listed, { query, stored }: Directory, entries: ListedEntry[]): Promise<void> {
  const { tree, path, depth, after, limit } = query;
  for (const { name, entry } of await childrenOf(listed, stored)) {
    if (entries.length >= limit) return;
    const key = { tree, path: joinPath(path, name) };
    const isBefore = after !== undefined && comparePaths(key.path, after) <= 0;
    if (isBefore && !isWithin(key.path, after)) continue;
    if (!isBefore) entries.push(plainEntry(entry, key));
    if (entry.kind !== 'directory' || depth <= 1) continue;
    await collect(listed, { query: { ...query, ...key, depth: depth - 1 }, stored: entry }, entries);
  }
}

/** The entries of a directory, in order. Entries that were not written with the key have no name and are skipped. */
export async function childrenOf({ driver, names }: Listed, { tree, path }: EntryKey): Promise<readonly Child[]> {
  const children: Child[] = [];
  for (let after: string | undefined; ;) {
    const query = { tree, path, depth: 1, limit: pageSize };
    const page = await driver.list(after === undefined ? query : { ...query, after });
    const named = page.map(async (entry) => {
      const name = isHeader(entry)
        ? undefined
        : await names.fromStored(storedName(entry), sideIn(driver, { tree, path }));
      return name === undefined ? [] : [{ name, entry }];
    });
    children.push(...(await Promise.all(named)).flat());
    after = page.at(-1)?.path;
    if (page.length < pageSize) break;
  }
  return children.sort((left, right) => comparePaths(left.name, right.name));
}

function storedName({ path }: EntryKey): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Reads the files that hold long names. A file that the underlying storage reports as damaged holds no name. */
export function sideIn(driver: StorageDriver, { tree, path }: EntryKey) {
  return async (name: string): Promise<Uint8Array | undefined> => {
    try {
      return (await driver.read({ tree, path: joinPath(path, name) }))?.content;
    } catch (error) {
      if (isUtensilError(error, 'content_damaged')) return undefined;
      throw error;
    }
  };
}

import { joinPath } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import { isHeader } from './header.ts';
import { sideIn } from './listing.ts';
import type { Listed } from './listing.ts';

/** Plain keys of changed entries. */
export async function plainKeys(listed: Listed, changed: readonly EntryKey[]): Promise<readonly EntryKey[]> {
  const keys = await Promise.all(changed.map((key) => plainKey(listed, key)));
  return keys.filter((key) => key !== undefined);
}

/** The plain key of a stored one; its directory if the name cannot be decoded. */
async function plainKey({ driver, names }: Listed, stored: EntryKey): Promise<EntryKey | undefined> {
  if (isHeader(stored)) return undefined;
  const { tree } = stored;
  let [directory, path] = ['/', '/'];
  for (const part of stored.path === '/' ? [] : stored.path.slice(1).split('/')) {
    if (names.isCompanion(part)) return undefined;
    const name = await names.fromStored(part, sideIn(driver, { tree, path: directory }));
    if (name === undefined) break;
    directory = joinPath(directory, part);
    path = joinPath(path, name);
  }
  return { tree, path };
}

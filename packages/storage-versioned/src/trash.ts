import { createFiles } from '@utensil/core';
import { fileError, nameOf, parentOf, resolvePath } from '@utensil/core/files';
import { entriesBelow } from '@utensil/core/storage';
import type { Files, FileStat } from '@utensil/core';
import type { StorageChange, StorageEntry, EntryKey, ListedEntry, StorageDriver } from '@utensil/core/storage';
import type { Author } from './author.ts';
import { timeOf } from './ids.ts';
import type { NewId } from './ids.ts';
import { record, trashRoot } from './layout.ts';
import { decodeAbout, readNote } from './notes.ts';
import type { About } from './notes.ts';
import { restage } from './restage.ts';
import { commitFreeing } from './room.ts';
import type { Past } from './shared.ts';
import { createArchive } from './archive.ts';
import { parseTrashName, placesInTrash } from './trash-name.ts';
import type { TrashReason } from './trash-name.ts';

/** An entry that was removed, or replaced by a move. */
export interface Trashed {
  readonly id: string;
  /** Original path; a generated name in the root if that is unknown. */
  readonly path: string;
  /** `versions`: only old versions of a file that another program removed. */
  readonly kind: 'file' | 'directory' | 'versions';
  readonly reason: TrashReason;
  /** Time of the removal, in milliseconds since 1970. */
  readonly removedAt: number;
  readonly author?: Author;
}

/** Lists the trash, oldest first. */
export async function listTrash(driver: StorageDriver): Promise<readonly Trashed[]> {
  const entries: ListedEntry[] = [];
  for await (const entry of entriesBelow(driver, record(trashRoot), { depth: 1 })) entries.push(entry);
  const trashed: Trashed[] = [];
  for (let start = 0; start < entries.length; start += readsAtOnce) {
    const described = entries.slice(start, start + readsAtOnce).map((entry) => describe(driver, entry));
    trashed.push(...(await Promise.all(described)).filter((each) => each !== undefined));
  }
  return trashed;
}

const readsAtOnce = 24;

async function describe(
  driver: StorageDriver,
  { path: stored, kind: storedKind }: Pick<ListedEntry, 'path' | 'kind'>,
): Promise<Trashed | undefined> {
  const parsed = parseTrashName(nameOf(stored));
  if (parsed === undefined) return undefined;
  const { name, id, reason, by, bare } = parsed;
  const about = bare === undefined ? await readAbout(driver, name) : { ...bare, kind: storedKind };
  const { path = `/restored-${id}`, kind } = about;
  const author = Object.keys(by).length === 0 ? {} : { author: by };
  return { id: name, path, kind, reason, removedAt: timeOf(id), ...author };
}

/** Reads the note of a trash entry; without a path if it is damaged. */
async function readAbout(driver: StorageDriver, name: string): Promise<Partial<About> & Pick<About, 'kind'>> {
  const { about, content } = placesInTrash(name);
  const found = about && (await readNote(driver, about));
  const noted = found && decodeAbout(found);
  if (noted !== undefined) return noted;
  const [entry] = await driver.stat([content]);
  return { kind: entry?.kind ?? 'versions' };
}

/** Finds a trash entry. Throws `ESTALE`. */
async function findTrashed(driver: StorageDriver, id: string): Promise<Trashed> {
  const [entry] = parseTrashName(id) === undefined ? [] : await driver.stat([record(`${trashRoot}/${id}`)]);
  const trashed = entry && (await describe(driver, entry));
  if (trashed !== undefined) return trashed;
  throw fileError('ESTALE', '/', { hint: `Nothing in the trash has the id '${id.slice(0, 100)}'.` });
}

/** Restores a trash entry with its versions. */
export async function restore(past: Past, id: string, to?: string): Promise<FileStat> {
  const { driver, newId } = past;
  const stat = await restage(past, (staged, time) =>
    bringBack(staged, { id, time, newId, ...(to === undefined ? {} : { to }) }),
  );
  past.counts.forget(stat.path);
  return (await createFiles(driver).stat(stat.path)) ?? stat;
}

/** Input of {@link bringBack}. */
export interface Return {
  readonly id: string;
  readonly to?: string;
  readonly time: number;
  readonly newId: NewId;
}

/** Restores a trash entry in a stage, so that the restore can be undone. */
export async function bringBack(driver: StorageDriver, { id, to, time, newId }: Return): Promise<FileStat> {
  const trashed = await findTrashed(driver, id);
  const places = placesInTrash(trashed.id);
  const path = to ?? trashed.path;
  const files = createFiles(driver, { now: () => time });
  const [content] = await driver.stat([places.content]);
  refuseUnfit(path, content, await files.stat(path));
  if (content?.kind === 'directory' && path !== trashed.path) await refuseTooDeep(driver, content, path);
  await makeParent(files, path);
  const archive = createArchive({ driver, time, newId });
  const result = await driver.commit({
    expect: content === undefined ? [] : [{ tree: 'files', path, etag: null }],
    changes: [
      ...(content === undefined
        ? []
        : [{ type: 'move', ...record(content.path), to: { tree: 'files', path } } as const]),
      ...(await archive.moveVersions(places.versions, path)),
      ...(places.about === undefined ? [] : removeAll(places.whole)),
    ],
    time,
  });
  const stat = result.ok ? await files.stat(path) : undefined;
  if (stat === undefined) throw fileError('EEXIST', path, { hint: 'A name that differs only in case is in the way.' });
  return stat;
}

function removeAll(keys: readonly EntryKey[]): readonly StorageChange[] {
  return keys.map(({ tree, path }) => ({ type: 'remove', tree, path, recursive: true }));
}

/** A content needs a free path; versions alone need an existing file. */
function refuseUnfit(path: string, content: StorageEntry | undefined, present: FileStat | undefined): void {
  if (content === undefined && present?.kind === 'file') return;
  if (content === undefined && present === undefined)
    throw fileError('ENOENT', path, { hint: 'Only old versions are left: create the file first.' });
  if (present !== undefined)
    throw fileError('EEXIST', path, { hint: 'Move it away first, or restore to another path.' });
}

/** Throws if paths below a directory would be too long at the new location. */
async function refuseTooDeep(driver: StorageDriver, content: StorageEntry, to: string): Promise<void> {
  for await (const { path } of entriesBelow(driver, content)) resolvePath(to + path.slice(content.path.length));
}

async function makeParent(files: Files, path: string): Promise<void> {
  const parent = parentOf(path);
  const found = await files.stat(parent);
  if (found?.kind === 'file') throw fileError('ENOTDIR', path, { hint: `'${parent}' is a file.` });
  if (found === undefined) await files.makeDirectory(parent);
}

/** Destroys one trash entry, or all of them. */
export async function purge({ driver, now }: Past, id?: string): Promise<void> {
  const root = record(trashRoot);
  const keys = id === undefined ? [root] : placesInTrash((await findTrashed(driver, id)).id).whole;
  const found = await driver.stat(keys);
  const present = keys.filter((_, index) => found[index] !== undefined);
  if (id === undefined && present.length === 0) return;
  const remade: readonly StorageChange[] = id === undefined ? [{ type: 'make-directory', ...root }] : [];
  const made = await commitFreeing(driver, [...removeAll(present), ...remade], now());
  if (made === 0 && id !== undefined)
    throw fileError('ESTALE', '/', { hint: 'It has just been purged by someone else.' });
}

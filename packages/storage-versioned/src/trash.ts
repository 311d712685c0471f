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

/** Something that was removed, or that made way for something else. */
export interface Trashed {
  readonly id: string;
  /** Where it was; a new name in the root, where that is not known any more. */
  readonly path: string;
  /** `versions`: only the past of a file that another program removed. */
  readonly kind: 'file' | 'directory' | 'versions';
  readonly reason: TrashReason;
  /** When it went, in milliseconds since 1970. */
  readonly removedAt: number;
  readonly author?: Author;
}

/** The contents of the trash, oldest first. */
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

/** What the note says; without the path, if it is damaged. */
async function readAbout(driver: StorageDriver, name: string): Promise<Partial<About> & Pick<About, 'kind'>> {
  const { about, content } = placesInTrash(name);
  const found = about && (await readNote(driver, about));
  const noted = found && decodeAbout(found);
  if (noted !== undefined) return noted;
  const [entry] = await driver.stat([content]);
  return { kind: entry?.kind ?? 'versions' };
}

/** Something in the trash. Throws `ESTALE`. */
async function findTrashed(driver: StorageDriver, id: string): Promise<Trashed> {
  const [entry] = parseTrashName(id) === undefined ? [] : await driver.stat([record(`${trashRoot}/${id}`)]);
  const trashed = entry && (await describe(driver, entry));
  if (trashed !== undefined) return trashed;
  throw fileError('ESTALE', '/', { hint: `Nothing in the trash has the id '${id.slice(0, 100)}'.` });
}

/** Puts something back with its versions. */
export async function restore(past: Past, id: string, to?: string): Promise<FileStat> {
  const { driver, newId } = past;
  const stat = await restage(past, (staged, time) =>
    bringBack(staged, { id, time, newId, ...(to === undefined ? {} : { to }) }),
  );
  past.counts.forget(stat.path);
  return (await createFiles(driver).stat(stat.path)) ?? stat;
}

/** What {@link bringBack} puts back, and where. */
export interface Return {
  readonly id: string;
  readonly to?: string;
  readonly time: number;
  readonly newId: NewId;
}

/** Puts something back, in a storage where that can be undone. */
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

/** A content needs a free place; versions alone need a file that they can be of. */
function refuseUnfit(path: string, content: StorageEntry | undefined, present: FileStat | undefined): void {
  if (content === undefined && present?.kind === 'file') return;
  if (content === undefined && present === undefined)
    throw fileError('ENOENT', path, { hint: 'Only old versions are left: make the file first.' });
  if (present !== undefined)
    throw fileError('EEXIST', path, { hint: 'Move it away first, or restore to another path.' });
}

/** What is in a directory must have paths of its own in the new place. */
async function refuseTooDeep(driver: StorageDriver, content: StorageEntry, to: string): Promise<void> {
  for await (const { path } of entriesBelow(driver, content)) resolvePath(to + path.slice(content.path.length));
}

async function makeParent(files: Files, path: string): Promise<void> {
  const parent = parentOf(path);
  const found = await files.stat(parent);
  if (found?.kind === 'file') throw fileError('ENOTDIR', path, { hint: `'${parent}' is a file.` });
  if (found === undefined) await files.makeDirectory(parent);
}

/** Destroys something in the trash, or all of it. */
export async function purge({ driver, now }: Past, id?: string): Promise<void> {
  const root = record(trashRoot);
  const keys = id === undefined ? [root] : placesInTrash((await findTrashed(driver, id)).id).whole;
  const found = await driver.stat(keys);
  const present = keys.filter((_, index) => found[index] !== undefined);
  if (id === undefined && present.length === 0) return;
  const remade: readonly StorageChange[] = id === undefined ? [{ type: 'make-directory', ...root }] : [];
  const made = await commitFreeing(driver, [...removeAll(present), ...remade], now());
  if (made === 0 && id !== undefined) throw fileError('ESTALE', '/', { hint: 'Somebody else has just purged it.' });
}

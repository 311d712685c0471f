import { createFiles, entriesBelow, fileError, nameOf, parentOf, resolvePath } from '@utensil/core';
import type { Entry, Files, FileStat, StorageDriver } from '@utensil/core';
import type { Author } from './author.ts';
import { parseTrashName, record, timeOf, trashRoot } from './layout.ts';
import type { TrashReason } from './layout.ts';
import { decodeAbout, readNote } from './notes.ts';
import type { About } from './notes.ts';
import { createRecorder } from './recorder.ts';
import { restage } from './restage.ts';
import type { Past } from './shared.ts';

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

/** What is in the trash, oldest first. */
export async function listTrash(driver: StorageDriver): Promise<readonly Trashed[]> {
  const names: string[] = [];
  for await (const { path } of entriesBelow(driver, record(trashRoot), { depth: 1 })) names.push(nameOf(path));
  const trashed: Trashed[] = [];
  for (let start = 0; start < names.length; start += readsAtOnce) {
    const described = names.slice(start, start + readsAtOnce).map((name) => describe(driver, name));
    trashed.push(...(await Promise.all(described)).filter((each) => each !== undefined));
  }
  return trashed;
}

const readsAtOnce = 24;

async function describe(driver: StorageDriver, name: string): Promise<Trashed | undefined> {
  const parsed = parseTrashName(name);
  if (parsed === undefined) return undefined;
  const { id, reason, by } = parsed;
  const directory = `${trashRoot}/${name}`;
  const note = await readNote(driver, record(`${directory}/about.json`));
  const { path, kind } = (note && decodeAbout(note)) ?? (await guessAbout(driver, directory, id));
  return { id, path, kind, reason, removedAt: timeOf(id), ...(Object.keys(by).length === 0 ? {} : { author: by }) };
}

/** What can be said of something whose note is damaged. */
async function guessAbout(driver: StorageDriver, directory: string, id: string): Promise<About> {
  const [content] = await driver.stat([record(`${directory}/content`)]);
  return { path: `/restored-${id}`, kind: content?.kind ?? 'versions' };
}

/** The directory of something in the trash. Throws `ESTALE`. */
async function findTrashed(driver: StorageDriver, id: string): Promise<string> {
  for await (const { path } of entriesBelow(driver, record(trashRoot), { depth: 1 })) {
    if (parseTrashName(nameOf(path))?.id === id) return path;
  }
  throw fileError('ESTALE', '/', { hint: `Nothing in the trash has the id '${id.slice(0, 100)}'.` });
}

/** Puts something back with its versions. */
export async function restore(past: Past, id: string, to?: string): Promise<FileStat> {
  const { driver, newId } = past;
  const stat = await restage(past, (staged, time) =>
    bringBack(staged, { id, time, newId, ...(to === undefined ? {} : { to }) }),
  );
  return (await createFiles(driver).stat(stat.path)) ?? stat;
}

/** What {@link bringBack} puts back, and where. */
export interface Return {
  readonly id: string;
  readonly to?: string;
  readonly time: number;
  readonly newId: (time: number) => string;
}

/** Puts something back, in a storage where that can be undone. */
export async function bringBack(driver: StorageDriver, { id, to, time, newId }: Return): Promise<FileStat> {
  const directory = await findTrashed(driver, id);
  const about = await describe(driver, nameOf(directory));
  const path = to ?? about?.path ?? '/';
  const files = createFiles(driver, { now: () => time });
  const [content] = await driver.stat([record(`${directory}/content`)]);
  refuseUnfit(path, content, await files.stat(path));
  if (content?.kind === 'directory' && path !== about?.path) await refuseTooDeep(driver, content, path);
  await makeParent(files, path);
  const recorder = createRecorder({ driver, author: {}, time, replaced: new Set(), newId });
  const result = await driver.commit({
    expect: content === undefined ? [] : [{ tree: 'files', path, etag: null }],
    changes: [
      ...(content === undefined
        ? []
        : [{ type: 'move', ...record(content.path), to: { tree: 'files', path } } as const]),
      ...(await recorder.moveVersions(record(`${directory}/versions`), path)),
      { type: 'remove', ...record(directory), recursive: true },
    ],
    time,
  });
  const stat = result.ok ? await files.stat(path) : undefined;
  if (stat === undefined) throw fileError('EEXIST', path, { hint: 'A name that differs only in case is in the way.' });
  return stat;
}

/** A content needs a free place; versions alone need a file that they can be of. */
function refuseUnfit(path: string, content: Entry | undefined, present: FileStat | undefined): void {
  if (content === undefined && present?.kind === 'file') return;
  if (content === undefined && present === undefined)
    throw fileError('ENOENT', path, { hint: 'Only old versions are left: make the file first.' });
  if (present !== undefined)
    throw fileError('EEXIST', path, { hint: 'Move it away first, or restore to another path.' });
}

/** What is in a directory must have paths of its own in the new place. */
async function refuseTooDeep(driver: StorageDriver, content: Entry, to: string): Promise<void> {
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
  const [root] = await driver.stat([record(trashRoot)]);
  if (id === undefined && root === undefined) return;
  const path = id === undefined ? trashRoot : await findTrashed(driver, id);
  const changes = [{ type: 'remove', ...record(path), recursive: true } as const];
  const result = await driver.commit({ expect: [], changes, time: now() });
  if (!result.ok && id !== undefined) throw fileError('ESTALE', '/', { hint: 'Somebody else has just purged it.' });
}

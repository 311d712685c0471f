import { createFiles, createStage, entriesBelow, fileError, nameOf, parentOf } from '@utensil/core';
import type { FileStat, StorageDriver } from '@utensil/core';
import type { Author } from './author.ts';
import { parseTrashName, record, timeOf, trashRoot } from './layout.ts';
import type { TrashReason } from './layout.ts';
import { createRecorder } from './recorder.ts';
import type { About } from './recorder.ts';
import type { Past } from './shared.ts';

/** Something that was removed, or that made way for something else. */
export interface Trashed {
  readonly id: string;
  /** Where it was. */
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
  const trashed = await Promise.all(names.map((name) => describe(driver, name)));
  return trashed.filter((each) => each !== undefined);
}

async function describe(driver: StorageDriver, name: string): Promise<Trashed | undefined> {
  const parsed = parseTrashName(name);
  const found = parsed && (await driver.read(record(`${trashRoot}/${name}/about.json`)));
  if (parsed === undefined || found === undefined) return undefined;
  const { path, kind } = JSON.parse(new TextDecoder().decode(found.content)) as About;
  const author = Object.keys(parsed.by).length === 0 ? {} : { author: parsed.by };
  return { id: parsed.id, path, kind, reason: parsed.reason, removedAt: timeOf(parsed.id), ...author };
}

/** The directory of something in the trash. Throws `ESTALE`. */
export async function findTrashed(driver: StorageDriver, id: string): Promise<string> {
  for await (const { path } of entriesBelow(driver, record(trashRoot), { depth: 1 })) {
    if (parseTrashName(nameOf(path))?.id === id) return path;
  }
  throw fileError('ESTALE', '/', { hint: `Nothing in the trash has the id '${id.slice(0, 100)}'.` });
}

/** Puts something back with its versions. */
export async function restore(past: Past, id: string, to?: string): Promise<FileStat> {
  const { driver, now, newId } = past;
  const time = now();
  const stage = createStage(driver);
  const stat = await bringBack(stage.driver, { id, time, newId, ...(to === undefined ? {} : { to }) });
  const result = await stage.commit(time);
  if (!result.ok) {
    throw fileError('ECONFLICT', result.conflict.path, {
      hint: 'Something changed meanwhile: try again.',
      retryable: true,
    });
  }
  const [entry] = await createFilesOf(driver, [stat.path]);
  return entry ?? stat;
}

async function createFilesOf(driver: StorageDriver, paths: readonly string[]) {
  return Promise.all(paths.map((path) => createFiles(driver).stat(path)));
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
  const present = await files.stat(path);
  if (content !== undefined && present !== undefined) {
    throw fileError('EEXIST', path, { hint: 'Move it away first, or restore to another path.' });
  }
  if (content === undefined && present === undefined) {
    throw fileError('ENOENT', path, { hint: 'Only old versions are left: make the file first.' });
  }
  if (parentOf(path) !== '/' && (await files.stat(parentOf(path))) === undefined) {
    await files.makeDirectory(parentOf(path));
  }
  const recorder = createRecorder({ driver, author: {}, time, newId });
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

/** Destroys something in the trash, or all of it. */
export async function purge({ driver, now }: Past, id?: string): Promise<void> {
  const [root] = await driver.stat([record(trashRoot)]);
  if (id === undefined && root === undefined) return;
  const path = id === undefined ? trashRoot : await findTrashed(driver, id);
  const changes = [{ type: 'remove', ...record(path), recursive: true } as const];
  const result = await driver.commit({ expect: [], changes, time: now() });
  if (!result.ok && id !== undefined) throw fileError('ESTALE', '/', { hint: 'Somebody else has just purged it.' });
}

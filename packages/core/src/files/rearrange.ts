import { encoder } from '../base/text-encoding.ts';
import type { StorageEntry, StorageExpectation } from './storage/driver.ts';
import { fileError, quotePath, unlessDamaged } from './file-error.ts';
import type { FileStat, RemoveOptions } from './files.ts';
import { noSuchEntry } from './no-such-entry.ts';
import { foldCase, isWithin, resolvePath } from './paths.ts';
import { entriesBelow, readBytes, toStat } from './reading.ts';
import { refuseObstacle, writtenStat } from './rewrite.ts';
import { equalBytes } from './text.ts';
import { locate, nothingToDo, settle, settleFile, transact } from './transaction.ts';
import type { Location, Plan, Store } from './transaction.ts';

const tree = 'files';

/** Creates a directory and missing parents. */
export async function makeDirectory(store: Store, path: string): Promise<FileStat> {
  return transact(store, path, async () => {
    const location = await locate(store.driver, tree, path);
    if (location.entry !== undefined) throw taken(path, location.entry);
    refuseObstacle(path, location);
    const { expect, changes } = await settleFile(store, { path, location });
    return {
      expect,
      changes: [...changes, { type: 'make-directory', tree, path }],
      result: (entries) => writtenStat(entries, path),
    };
  });
}

/** Removes a file or directory, with its contents if requested. */
export async function removeEntry(
  store: Store,
  path: string,
  { recursive = false, ifMatch }: RemoveOptions,
): Promise<void> {
  refuseRoot(path, 'removed');
  let refusals = 0;
  return transact(store, path, async () => {
    const [entry] = await store.driver.stat([{ tree, path }]);
    if (entry === undefined) throw await noSuchEntry(store, tree, path);
    if (ifMatch !== undefined && entry.etag !== ifMatch) throw notAsRead(path);
    const isEmpty = !recursive && entry.kind === 'directory';
    if (isEmpty) await refuseFull(store, path);
    if (isEmpty && refusals++ === maxRefusals) throw holdsUnlisted(path);
    const expect = ifMatch === undefined ? [] : [{ tree, path, etag: ifMatch } as const];
    return { expect, changes: [{ type: 'remove', tree, path, recursive }], result: () => undefined };
  });
}

/** Number of refusals after which the removal of an apparently empty directory is not a race. */
const maxRefusals = 4;

/** The directory lists no entries, yet the storage refuses to remove it. */
function holdsUnlisted(path: string): Error {
  const hint = 'It has entries that cannot be listed, such as ones with damaged names: remove it with its contents.';
  return fileError('ENOTEMPTY', path, { hint });
}

/** The entry differs from the one that the caller read. */
export function notAsRead(path: string): Error {
  return fileError('ECONFLICT', path, { hint: 'It is not the version that you read: read it again, then decide.' });
}

async function refuseFull({ driver }: Store, path: string): Promise<void> {
  const [first] = await driver.list({ tree, path, depth: 1, limit: 1 });
  if (first === undefined) return;
  throw fileError('ENOTEMPTY', path, { hint: 'Remove its contents first, or all of it together.' });
}

/** Source and target of a move or copy. */
export interface Route {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
}

/** Moves a file, or a directory with its contents. */
export async function moveEntry(store: Store, route: Route): Promise<FileStat> {
  const { from, to } = route;
  refuseRoot(from, 'moved');
  return transact(store, from, async () => {
    const source = await requireSource(store, from);
    if (from !== to && isWithin(from, to) && source.kind === 'directory') throw intoItself(from, to);
    const target = await locateTarget(store, route, source);
    if (from === to) return nothingToDo(toStat(source));
    if (target.entry !== undefined) return replacing({ ...route, source, target });
    if (source.kind === 'directory') await refuseTooDeep(store, from, to);
    const { expect, changes } = await settleFile(store, { path: to, location: target });
    return {
      expect: [{ tree, path: from, etag: source.etag }, ...expect.filter((each) => !isRespelling(each, route))],
      changes: [...changes, { type: 'move', tree, path: from, to: { tree, path: to } }],
      result: (entries) => writtenStat(entries, to),
    };
  });
}

/** Copies a file. */
export async function copyFile(store: Store, route: Route): Promise<FileStat> {
  const { from, to } = route;
  return transact(store, from, async () => {
    const { bytes, ...source } = await readBytes(store, from);
    const target = await locateTarget(store, route, { ...source, tree });
    const present = target.entry && (await unlessDamaged(store.driver.read({ tree, path: to })));
    if (present !== undefined && equalBytes(present.content, bytes)) return nothingToDo(toStat(present.entry));
    const { expect, changes } = await settleFile(store, { path: to, location: target });
    return {
      expect,
      changes: [...changes, { type: 'write', tree, path: to, content: bytes, like: { tree, path: from } }],
      result: (entries) => writtenStat(entries, to),
    };
  });
}

async function requireSource(store: Store, path: string): Promise<StorageEntry> {
  const [entry] = await store.driver.stat([{ tree, path }]);
  if (entry === undefined) throw await noSuchEntry(store, tree, path);
  return entry;
}

/** Only a file may be replaced, only by a file, and only if requested. */
async function locateTarget({ driver }: Store, { to, overwrite }: Route, source: StorageEntry): Promise<Location> {
  const target = await locate(driver, tree, to);
  refuseObstacle(to, target);
  const isReplaceable = overwrite && target.entry?.kind === 'file' && source.kind === 'file';
  if (target.entry !== undefined && !isReplaceable) throw taken(to, target.entry);
  return target;
}

/** Replaces one file by another. */
function replacing({ from, to, source, target }: Route & { readonly source: StorageEntry; readonly target: Location }) {
  return {
    expect: [{ tree, path: from, etag: source.etag }, ...settle(tree, to, target).expect],
    changes: [
      { type: 'remove', tree, path: to },
      { type: 'move', tree, path: from, to: { tree, path: to } },
    ],
    result: (entries: readonly StorageEntry[]) => writtenStat(entries, to),
  } as const satisfies Plan<FileStat>;
}

/** True if the only conflict is the moved entry itself, under its old spelling. */
function isRespelling({ path, etag }: StorageExpectation, { from, to }: Route): boolean {
  return etag === null && path === to && foldCase(from) === foldCase(to);
}

/** The contents of a directory must still have valid paths after the move. */
async function refuseTooDeep({ driver }: Store, from: string, to: string): Promise<void> {
  const isNoLonger = encoder.encode(to).length <= encoder.encode(from).length;
  if (isNoLonger && to.split('/').length <= from.split('/').length) return;
  for await (const { path } of entriesBelow(driver, { tree, path: from })) resolvePath(to + path.slice(from.length));
}

function refuseRoot(path: string, done: string): void {
  if (path === '/') throw fileError('EINVAL', path, { hint: `The root cannot be ${done}.` });
}

function intoItself(from: string, to: string): Error {
  return fileError('EINVAL', from, { hint: `It cannot be moved into itself, to ${quotePath(to)}.` });
}

function taken(path: string, { kind }: StorageEntry): Error {
  return fileError('EEXIST', path, { hint: kind === 'file' ? 'Choose another name.' : 'It is a directory.' });
}

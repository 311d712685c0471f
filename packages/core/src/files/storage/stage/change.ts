import { directoryEtag } from '../driver.ts';
import type { StorageChange, StorageEntry, EntryKey } from '../driver.ts';
import { isWithin, parentOf } from '../../paths.ts';
import { entriesBelow } from '../../reading.ts';
import type { Node, Sheet } from './staged-changes.ts';
import type { View } from './staged-view.ts';

/** Target of staged changes. */
export interface Work {
  readonly sheet: Sheet;
  readonly view: View;
  readonly time: number;
  newEtag(): string;
}

type ChangeOf<Type extends StorageChange['type']> = StorageChange & { readonly type: Type };

/** Stages a change; returns the conflicting key, if any. */
export async function stageChange(work: Work, change: StorageChange): Promise<EntryKey | undefined> {
  const obstacle = change.path === '/' ? change : await attempt(work, change, await work.view.find(change));
  if (obstacle !== undefined) return keyOf(obstacle);
  work.sheet.record(change);
  return undefined;
}

function attempt(work: Work, change: StorageChange, before: Node | undefined): Promise<EntryKey | undefined> {
  switch (change.type) {
    case 'write':
      return write(work, change, before);
    case 'make-directory':
      return makeDirectory(work, change, before);
    case 'remove':
      return remove(work, change, before);
    case 'move':
      return move(work, change, before);
  }
}

async function write({ sheet, view, time, newEtag }: Work, change: ChangeOf<'write'>, before: Node | undefined) {
  const { tree, path, content } = change;
  if (before?.entry.kind === 'directory' || !(await hasParent(view, change))) return change;
  const entry = { tree, path, kind: 'file', size: content.length, modifiedAt: time, etag: newEtag() } as const;
  sheet.put({ entry, content });
  return undefined;
}

async function makeDirectory({ sheet, view, time }: Work, key: EntryKey, before: Node | undefined) {
  const { tree, path } = key;
  if (before !== undefined || !(await hasParent(view, key))) return key;
  const entry = { tree, path, kind: 'directory', size: 0, modifiedAt: time, etag: directoryEtag } as const;
  sheet.put({ entry, isClosed: true });
  return undefined;
}

async function remove({ sheet, view }: Work, change: ChangeOf<'remove'>, before: Node | undefined) {
  if (before === undefined) return change;
  const below = await keysBelow(view, before.entry);
  if (below.length > 0 && change.recursive !== true) return change;
  for (const key of [...below, change]) sheet.take(key);
  return undefined;
}

async function move({ sheet, view }: Work, change: ChangeOf<'move'>, before: Node | undefined) {
  const { tree, path, to } = change;
  if (before === undefined) return change;
  const isIntoItself = to.tree === tree && isWithin(path, to.path);
  if (isIntoItself || (await view.find(to)) !== undefined || !(await hasParent(view, to))) return to;
  const below = await view.findAll(await keysBelow(view, before.entry));
  const moved = [before, ...below.filter((node) => node !== undefined)];
  for (const { entry } of moved) sheet.take(entry);
  for (const node of moved) {
    const { entry, origin = keyOf(entry) } = node;
    const target = { tree: to.tree, path: to.path + entry.path.slice(path.length) };
    sheet.put({ ...node, origin, entry: { ...entry, ...target }, isClosed: true });
  }
  return undefined;
}

function keyOf({ tree, path }: EntryKey): EntryKey {
  return { tree, path };
}

async function hasParent(view: View, { tree, path }: EntryKey): Promise<boolean> {
  return (await view.find({ tree, path: parentOf(path) }))?.entry.kind === 'directory';
}

async function keysBelow(view: View, entry: StorageEntry): Promise<readonly EntryKey[]> {
  const keys: EntryKey[] = [];
  if (entry.kind === 'file') return keys;
  for await (const each of entriesBelow(view, entry)) keys.push(keyOf(each));
  return keys;
}

import { ancestorsOf, entriesBelow, joinPath, parentOf } from '@utensil/core';
import type { Change, Entry, EntryKey, StorageDriver } from '@utensil/core';
import type { Author } from './author.ts';
import { record, trashName, trashRoot, turnDirectory, versionKey, versionName, versionsOf } from './layout.ts';
import type { TrashReason } from './layout.ts';
import { encodeNote } from './notes.ts';
import type { About, Done } from './notes.ts';

/** Turns changes of files into changes that lose nothing: what goes away is moved among the records. */
export interface Recorder {
  /** What to do instead of a change, to the storage as it is by then. */
  expand(change: Change): Promise<readonly Change[]>;
  /** Makes these the versions of a path. */
  moveVersions(versions: EntryKey, to: string): Promise<readonly Change[]>;
  /** What to do after all of them. */
  close(): Promise<readonly Change[]>;
}

/** What a {@link createRecorder} works with. */
export interface RecorderOptions {
  readonly driver: StorageDriver;
  readonly author: Author;
  readonly time: number;
  /** The paths to which something else is moved. */
  readonly replaced: ReadonlySet<string>;
  readonly newId: (time: number) => string;
}

export function createRecorder({ driver, author, time, replaced, newId }: RecorderOptions): Recorder {
  const done: Done[] = [];
  const isSigned = author.actor !== undefined || author.turn !== undefined;

  async function expand(change: Change): Promise<readonly Change[]> {
    if (change.tree !== 'files') return [change];
    const before = await find(change);
    switch (change.type) {
      case 'write':
        return [...(await keep(change, before)), change];
      case 'make-directory':
        done.push({ type: 'make-directory', path: change.path });
        return [change];
      case 'remove': {
        if (before === undefined) return [change];
        const isGone = before.kind === 'file' || change.recursive === true;
        if (isGone) return park(before, replaced.has(change.path) ? 'replaced' : 'removed');
        done.push({ type: 'remove-directory', path: change.path });
        return [change];
      }
      case 'move':
        if (change.to.tree !== 'files' || before === undefined) return [change];
        done.push({ type: 'move', path: change.path, to: change.to.path, etag: before.etag });
        return [change, ...(await moveVersions(record(versionsOf(change.path)), change.to.path))];
    }
  }

  /** Keeps what a write replaces, or that it replaced nothing. */
  async function keep({ tree, path }: EntryKey, before: Entry | undefined): Promise<readonly Change[]> {
    if (before?.kind === 'directory') return [];
    const id = newId(time);
    if (before === undefined) {
      done.push({ type: 'write', path });
      if (!isSigned) return [];
      const marker = versionKey(path, versionName({ id, kind: 'c', by: author }));
      return [...(await directories(versionsOf(path))), { type: 'write', ...marker, content: new Uint8Array() }];
    }
    const version = versionName({ id, kind: 'v', by: author });
    done.push({ type: 'write', path, version });
    return [...(await directories(versionsOf(path))), { type: 'move', tree, path, to: versionKey(path, version) }];
  }

  /** Moves something to the trash, with its versions. */
  async function park({ path, kind }: Entry, reason: TrashReason): Promise<readonly Change[]> {
    const trash = trashName(newId(time), reason, author);
    done.push({ type: 'remove', path, trash });
    return [
      ...(await newTrash(trash, { path, kind })),
      { type: 'move', tree: 'files', path, to: record(`${trashRoot}/${trash}/content`) },
      ...(await parkVersions(path, trash)),
    ];
  }

  async function newTrash(trash: string, about: About) {
    const directory = `${trashRoot}/${trash}`;
    const content = encodeNote(about);
    return [
      ...(await directories(directory)),
      { type: 'write', ...record(`${directory}/about.json`), content },
    ] as const satisfies readonly Change[];
  }

  async function parkVersions(path: string, trash: string): Promise<readonly Change[]> {
    const versions = record(versionsOf(path));
    if ((await find(versions)) === undefined) return [];
    return [{ type: 'move', ...versions, to: record(`${trashRoot}/${trash}/versions`) }];
  }

  /** Moves versions to where those of another path are. What is in their way, is set aside. */
  async function moveVersions(versions: EntryKey, to: string): Promise<readonly Change[]> {
    const target = record(versionsOf(to));
    const [own, obstacle] = await driver.stat([versions, target]);
    if (own === undefined) return [];
    const setAside = obstacle === undefined ? [] : await clear(to);
    return [...setAside, ...(await directories(parentOf(target.path))), { type: 'move', ...versions, to: target }];
  }

  /** Sets the versions of a path aside; mere directories, of versions that are gone, are removed. */
  async function clear(path: string): Promise<readonly Change[]> {
    const versions = record(versionsOf(path));
    const empty: Change[] = [{ type: 'remove', ...versions }];
    for await (const { kind, path: below } of entriesBelow(driver, versions)) {
      if (kind === 'directory') empty.unshift({ type: 'remove', ...record(below) });
      else {
        const trash = trashName(newId(time), 'replaced', {});
        return [...(await newTrash(trash, { path, kind: 'versions' })), ...(await parkVersions(path, trash))];
      }
    }
    return empty;
  }

  async function close(): Promise<readonly Change[]> {
    if (author.turn === undefined || done.length === 0) return [];
    const directory = turnDirectory(author.turn);
    const content = encodeNote(done);
    const file = record(joinPath(directory, `${newId(time)}.json`));
    return [...(await directories(directory)), { type: 'write', ...file, content }];
  }

  /** Makes the directories of a path among the records that are missing, itself included. */
  async function directories(path: string): Promise<readonly Change[]> {
    const keys = [...ancestorsOf(path), path].map(record);
    const found = await driver.stat(keys);
    return keys.filter((_, index) => found[index] === undefined).map((key) => ({ type: 'make-directory', ...key }));
  }

  async function find(key: EntryKey): Promise<Entry | undefined> {
    const [entry] = await driver.stat([key]);
    return entry;
  }

  return { expand, moveVersions, close };
}

import type { StorageChange, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import type { Author } from './author.ts';
import type { NewId } from './ids.ts';
import { record, turnDirectory, turnNoteKey, versionKey, versionName, versionsOf } from './layout.ts';
import type { VersionKind } from './layout.ts';
import { encodeNote } from './notes.ts';
import type { Done } from './notes.ts';
import { createArchive } from './archive.ts';
import type { Thinning } from './thinning.ts';
import { bareTrashName, trashName } from './trash-name.ts';
import { nextNoteId } from './turn-notes.ts';
import type { NoteIds } from './turn-notes.ts';

/** Rewrites changes so that nothing is lost: replaced and removed entries move into the records. */
export interface Recorder {
  /** The changes to make instead of one, given the current state of the storage. */
  expand(change: StorageChange): Promise<readonly StorageChange[]>;
  /** Final changes, after all others. */
  close(): Promise<readonly StorageChange[]>;
}

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  readonly driver: StorageDriver;
  readonly author: Author;
  readonly time: number;
  /** Paths that are the target of a move. */
  readonly replaced: ReadonlySet<string>;
  readonly newId: NewId;
  readonly thinning: Thinning;
  readonly lastNotes: NoteIds['lastNotes'];
  /** True to write no notes and put the path of a removed entry in its name: for a full storage. */
  readonly isBare: boolean;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { driver, author, time, replaced, newId, thinning, isBare } = options;
  const archive = createArchive({ driver, time, newId });
  const done: Done[] = [];
  const isSigned = author.actor !== undefined || author.turn !== undefined;

  async function expand(change: StorageChange): Promise<readonly StorageChange[]> {
    if (change.tree !== 'files') return [change];
    const before = await find(change);
    switch (change.type) {
      case 'write':
        return write(change, before);
      case 'make-directory':
        done.push({ type: 'make-directory', path: change.path });
        return [change];
      case 'remove': {
        if (before === undefined) return [change];
        thinning.forget(change.path);
        const isGone = before.kind === 'file' || change.recursive === true;
        if (isGone) return park(before);
        done.push({ type: 'remove-directory', path: change.path });
        return [change];
      }
      case 'move':
        if (change.to.tree !== 'files' || before === undefined) return [change];
        for (const { path } of [change, change.to]) thinning.forget(path);
        done.push({ type: 'move', path: change.path, to: change.to.path, etag: before.etag });
        return [change, ...(await archive.moveVersions(record(versionsOf(change.path)), change.to.path))];
    }
  }

  /** Keeps the content that a write replaces, or a marker that the file was created. */
  async function write(change: StorageChange, before: StorageEntry | undefined): Promise<readonly StorageChange[]> {
    const { path } = change;
    if (before === undefined) done.push({ type: 'write', path });
    if (before?.kind === 'directory' || (before === undefined && !isSigned)) return [change];
    const look = await thinning.look(path, before);
    const id = newId(time, look.count.lastId);
    const version = { id, kind: before === undefined ? 'c' : 'v', by: author } as const satisfies PriorVersion;
    const name = versionName(version);
    if (before !== undefined) done.push({ type: 'write', path, version: name });
    const { size, modifiedAt } = before ?? { size: 0, modifiedAt: time };
    return [
      ...(await archive.directories(versionsOf(path))),
      ...keep(change, versionKey(path, name), before),
      ...thinning.add(path, { ...version, name, size, modifiedAt }, look),
    ];
  }

  function keep(change: StorageChange, to: EntryKey, before: StorageEntry | undefined): readonly StorageChange[] {
    const { tree, path } = change;
    if (before === undefined) return [{ type: 'write', ...to, content: new Uint8Array() }, change];
    return [{ type: 'move', tree, path, to }, change];
  }

  /** Moves an entry and its versions to the trash. */
  async function park(entry: StorageEntry): Promise<readonly StorageChange[]> {
    const { path } = entry;
    const id = isBare && author.turn !== undefined ? await nextNoteId(options, author.turn) : newId(time);
    const reason = replaced.has(path) ? 'replaced' : 'removed';
    const trash = isBare ? bareTrashName(id, author, path) : trashName(id, reason, author);
    done.push({ type: 'remove', path, trash });
    return archive.park(entry, trash);
  }

  async function close(): Promise<readonly StorageChange[]> {
    const { turn } = author;
    if (turn === undefined || done.length === 0 || isBare) return [];
    const made = await archive.directories(turnDirectory(turn));
    return [
      ...made,
      { type: 'write', ...turnNoteKey(turn, await nextNoteId(options, turn)), content: encodeNote(done) },
    ];
  }

  async function find(key: EntryKey): Promise<StorageEntry | undefined> {
    const [entry] = await driver.stat([key]);
    return entry;
  }

  return { expand, close };
}

interface PriorVersion {
  readonly id: string;
  readonly kind: VersionKind;
  readonly by: Author;
}

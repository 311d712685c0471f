// Layout of old versions in the tree `records`. Names hold every fact that a list of versions shows, so that a list costs
// one listing, even on a remote storage.
//
//   /.v/f/notes/todo.md/{id}v.{actor}.{turn}     content until `actor` changed it
//   /.v/f/notes/todo.md/{id}c.{actor}.{turn}     nothing until `actor` created the file
//   /.v/trash/{id}.removed.{actor}.{turn}/about.json  the original path
//                                        /content     the removed file or directory
//                                        /versions    its versions from /.v/f
//   /.v/trash/{id}.removed.{actor}.{turn}.{path}      a content removed without room for a note
//            {id}.past.{actor}.{turn}.{path}          its versions from /.v/f
//   /.v/turns/{turn}/{id}.json                   changes of a turn, in order to undo them
//
// Names are short, and that of an unsigned version ends with its kind, because some storages write a path several times
// per change. An id begins with the time, so that ids sort in the order of changes; the id of a version sorts after the
// one before it, whatever the clock says. Entries below a directory that has the name of a file belong to an earlier
// directory of that name. They cannot conflict: versions are files, and directories have no versions.

import { isUtensilError } from '@utensil/core';
import { fileError, isWithin, joinPath, nameOf } from '@utensil/core/files';
import { entriesBelow } from '@utensil/core/storage';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { decodeAuthor, encodeAuthor } from './author.ts';
import type { Author } from './author.ts';

const root = '/.v';
export const filesRoot = `${root}/f`;
export const trashRoot = `${root}/trash`;
export const turnsRoot = `${root}/turns`;

export function record(path: string): EntryKey {
  return { tree: 'records', path };
}

/** True if a key belongs to the history. */
export function isHidden({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(root, path);
}

/** The directory with the versions of a file, or of all files in a directory. */
export function versionsOf(path: string): string {
  return path === '/' ? filesRoot : filesRoot + path;
}

/** The path whose versions a directory holds. */
export function pathOfVersions(directory: string): string {
  return directory === filesRoot ? '/' : directory.slice(filesRoot.length);
}

/** `v`: a replaced content. `c`: the creation of the file. `x`: an erased content. */
export type VersionKind = 'v' | 'c' | 'x';

/** Facts that the name of a version encodes. */
export interface VersionName {
  readonly name: string;
  readonly id: string;
  readonly kind: VersionKind;
  /** Author of the change that replaced it. */
  readonly by: Author;
  /** Author of the content, if the preceding version, which would name them, is gone. */
  readonly writtenBy?: Author;
}

const unsigned = encodeAuthor({});

export function versionName({ id, kind, by, writtenBy }: Omit<VersionName, 'name'>): string {
  const authors = writtenBy === undefined ? [by] : [by, writtenBy];
  const isSigned = writtenBy !== undefined || encodeAuthor(by) !== unsigned;
  return [id + kind, ...(isSigned ? authors.map(encodeAuthor) : [])].join('.');
}

/** Parses the name of a version; undefined for any other name. */
export function parseVersionName(name: string): VersionName | undefined {
  const match = /^([0-9a-z]{10})([vcx])(?:\.([^.]*)\.([^.]*)(?:\.([^.]*)\.([^.]*))?)?$/.exec(name);
  if (match === null) return undefined;
  const [, id = '', kind, actor, turn, writer, writerTurn] = match;
  const [by, writtenBy] = [decodeAuthor(actor, turn), decodeAuthor(writer, writerTurn)];
  if (by === undefined || writtenBy === undefined) return undefined;
  const version = { name, id, kind: kind as VersionKind, by };
  return writer === undefined ? version : { ...version, writtenBy };
}

/** The directory for the notes of a turn. */
export function turnDirectory(turn: string): string {
  return `${turnsRoot}/${encodeAuthor({ turn }).slice(1)}`;
}

/** The key of a note of a turn. */
export function turnNoteKey(turn: string, id: string): EntryKey {
  return record(`${turnDirectory(turn)}/${id}.json`);
}

/** The id in the name of a turn note; undefined for any other name. */
export function idOfTurnNote(name: string): string | undefined {
  return /^([0-9a-z]{10})\.json$/.exec(name)?.[1];
}

/** True for the key of a turn note. */
export function isTurnNote({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(turnsRoot, path) && idOfTurnNote(nameOf(path)) !== undefined;
}

/** A stored version. */
export interface StoredVersion extends VersionName {
  readonly size: number;
  /** Time of the write, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Lists the stored versions of a file, oldest first. */
export async function listVersions(driver: StorageDriver, path: string): Promise<readonly StoredVersion[]> {
  const versions: StoredVersion[] = [];
  for await (const { kind, path: stored, size, modifiedAt } of entriesBelow(driver, record(versionsOf(path)), {
    depth: 1,
  })) {
    const name = kind === 'file' ? parseVersionName(nameOf(stored)) : undefined;
    if (name !== undefined) versions.push({ ...name, size, modifiedAt });
  }
  return versions;
}

export function versionKey(path: string, name: string): EntryKey {
  return record(joinPath(versionsOf(path), name));
}

/** Reads the content of an old version; undefined if it is gone. Throws `content_damaged` with the path of the file. */
export async function readOldVersion(
  driver: StorageDriver,
  path: string,
  name: string,
): Promise<Uint8Array | undefined> {
  try {
    return (await driver.read(versionKey(path, name)))?.content;
  } catch (cause) {
    if (!isUtensilError(cause, 'content_damaged')) throw cause;
    throw fileError('content_damaged', path, { hint: 'This is damage to an old version: choose another one.', cause });
  }
}

// Where old versions are kept, in the tree `records`. All that a list shows of them is in their names, so that a list
// costs one listing, however remote the storage is.
//
//   /.v/f/notes/todo.md/{id}v.{actor}.{turn}     what was there until `actor` changed it
//   /.v/f/notes/todo.md/{id}c.{actor}.{turn}     nothing was there until `actor` made it
//   /.v/trash/{id}.removed.{actor}.{turn}/about.json  the path of what was removed
//                                        /content     itself, a file or a directory
//                                        /versions    what /.v/f had of it
//   /.v/trash/{id}.removed.{actor}.{turn}.{path}      what was removed when there was no room for a note
//            {id}.past.{actor}.{turn}.{path}          what /.v/f had of it
//   /.v/turns/{turn}/{id}.json                   what a turn did, in order to undo it
//
// These names are short, and that of an unsigned version ends with its kind, because some storages write a path several
// times for each change. An id begins with the time, so that ids are in the order of changes; that of a version follows
// the one before it, whatever the clock says. What is below a directory named like a file is of an earlier directory of
// that name, and in nobody's way: versions are files, and directories have none.

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

/** A key in the tree of records. */
export function record(path: string): EntryKey {
  return { tree: 'records', path };
}

/** True if a key is of what this package keeps. */
export function isHidden({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(root, path);
}

/** The directory of the versions of a file, or of what is in a directory. */
export function versionsOf(path: string): string {
  return path === '/' ? filesRoot : filesRoot + path;
}

/** The path whose versions are in this directory. */
export function pathOfVersions(directory: string): string {
  return directory === filesRoot ? '/' : directory.slice(filesRoot.length);
}

/** `v`: a content that was replaced. `c`: the file was made. `x`: a content that was erased. */
export type VersionKind = 'v' | 'c' | 'x';

/** What the name of a version says. */
export interface VersionName {
  readonly name: string;
  readonly id: string;
  readonly kind: VersionKind;
  /** Who put something else in its place. */
  readonly by: Author;
  /** Who wrote it, where the version before, which would say so, is gone. */
  readonly writtenBy?: Author;
}

const unsigned = encodeAuthor({});

/** The name of a version. */
export function versionName({ id, kind, by, writtenBy }: Omit<VersionName, 'name'>): string {
  const authors = writtenBy === undefined ? [by] : [by, writtenBy];
  const isSigned = writtenBy !== undefined || encodeAuthor(by) !== unsigned;
  return [id + kind, ...(isSigned ? authors.map(encodeAuthor) : [])].join('.');
}

/** What the name of a version says; undefined for any other name. */
export function parseVersionName(name: string): VersionName | undefined {
  const match = /^([0-9a-z]{10})([vcx])(?:\.([^.]*)\.([^.]*)(?:\.([^.]*)\.([^.]*))?)?$/.exec(name);
  if (match === null) return undefined;
  const [, id = '', kind, actor, turn, writer, writerTurn] = match;
  const [by, writtenBy] = [decodeAuthor(actor, turn), decodeAuthor(writer, writerTurn)];
  if (by === undefined || writtenBy === undefined) return undefined;
  const version = { name, id, kind: kind as VersionKind, by };
  return writer === undefined ? version : { ...version, writtenBy };
}

/** The directory of what a turn did. */
export function turnDirectory(turn: string): string {
  return `${turnsRoot}/${encodeAuthor({ turn }).slice(1)}`;
}

/** The key of a note of what a turn did. */
export function turnNoteKey(turn: string, id: string): EntryKey {
  return record(`${turnDirectory(turn)}/${id}.json`);
}

/** The id in the name of such a note; undefined for any other name. */
export function idOfTurnNote(name: string): string | undefined {
  return /^([0-9a-z]{10})\.json$/.exec(name)?.[1];
}

/** True if a key is of a note of what a turn did. */
export function isTurnNote({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(turnsRoot, path) && idOfTurnNote(nameOf(path)) !== undefined;
}

/** A version as it is stored. */
export interface StoredVersion extends VersionName {
  readonly size: number;
  /** When it was written. */
  readonly modifiedAt: number;
}

/** The stored versions of a file, oldest first. */
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

/** The key of a version. */
export function versionKey(path: string, name: string): EntryKey {
  return record(joinPath(versionsOf(path), name));
}

/** The content of an old version of a file; undefined if it is gone. Throws `content_damaged` about that file. */
export async function readKept(driver: StorageDriver, path: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return (await driver.read(versionKey(path, name)))?.content;
  } catch (cause) {
    if (!isUtensilError(cause, 'content_damaged')) throw cause;
    throw fileError('content_damaged', path, { hint: 'That is an old version of it: choose another version.', cause });
  }
}

import { entriesBelow, isUtensilError, nameOf } from '@utensil/core';
import type { EntryKey, StorageDriver } from '@utensil/core';
import { idAfter } from './ids.ts';
import type { NewId } from './ids.ts';
import { idOfTurnNote, record, trashRoot, turnDirectory, turnNoteKey } from './layout.ts';
import { decodeDone } from './notes.ts';
import type { Done } from './notes.ts';
import { parseTrashName } from './trash-name.ts';

// The ids of the notes of a turn follow each other without a gap. So whoever knows the last one sees by a look at the next
// whether others have written one, and they are in order whatever the clocks of all of them say.

/** What {@link nextNoteId} goes by. */
export interface NoteIds {
  readonly driver: StorageDriver;
  readonly time: number;
  readonly newId: NewId;
  /** The id of the last note of the turn, as far as it is known. */
  readonly last: string | undefined;
}

/** The id of the next note of a turn. That it is free is looked up, so that a stage expects it. */
export async function nextNoteId({ driver, time, newId, last }: NoteIds, turn: string): Promise<string> {
  const isFree = async (id: string): Promise<boolean> => (await driver.stat([turnNoteKey(turn, id)]))[0] === undefined;
  const expected = last === undefined ? undefined : idAfter(last);
  if (expected !== undefined && (await isFree(expected))) return expected;
  const found = await lastNoteId(driver, turn);
  let next = (found === undefined ? undefined : idAfter(found)) ?? newId(time);
  while (!(await isFree(next))) next = idAfter(next) ?? newId(time); // others wrote while the notes were listed
  return next;
}

async function lastNoteId(driver: StorageDriver, turn: string): Promise<string | undefined> {
  const directory = record(turnDirectory(turn));
  const [entry] = await driver.stat([directory]);
  let last: string | undefined;
  if (entry === undefined) return last;
  for await (const { path } of entriesBelow(driver, directory, { depth: 1 })) last = idOfTurnNote(nameOf(path)) ?? last;
  return last;
}

/** Something of which it is not known what a turn did. */
export interface Unknown {
  /** What is in the trash, under this id, without its path. */
  readonly trash?: string;
  readonly cause?: unknown;
}

interface Noted {
  readonly id: string;
  readonly done: readonly Done[];
}

/** What a turn did, in order: as its notes say, and the names of what it removed when there was no room for one. */
export async function readTurn(driver: StorageDriver, turn: string): Promise<readonly Done[] | Unknown> {
  const all: Noted[] = [];
  for await (const { path } of entriesBelow(driver, record(trashRoot), { depth: 1 })) {
    const { name = '', id = '', by, bare } = parseTrashName(nameOf(path)) ?? {};
    if (bare === undefined || by?.turn !== turn) continue;
    if (bare.path === undefined) return { trash: name };
    all.push({ id, done: [{ type: 'remove', path: bare.path, trash: name }] });
  }
  for await (const { tree, path } of entriesBelow(driver, record(turnDirectory(turn)), { depth: 1 })) {
    const id = idOfTurnNote(nameOf(path));
    const noted = id === undefined ? [] : await readDone(driver, { tree, path });
    if ('cause' in noted) return noted;
    if (id !== undefined) all.push({ id, done: noted });
  }
  return all.sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)).flatMap(({ done }) => done);
}

async function readDone(driver: StorageDriver, key: EntryKey): Promise<readonly Done[] | { readonly cause: unknown }> {
  try {
    const found = await driver.read(key);
    return found === undefined ? [] : (decodeDone(found.content) ?? { cause: undefined });
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return { cause: error };
    throw error;
  }
}

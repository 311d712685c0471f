import { isUtensilError } from '@utensil/core';
import { nameOf } from '@utensil/core/files';
import { entriesBelow } from '@utensil/core/storage';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import type { BoundedMap } from './bounded-map.ts';
import type { NewId } from './ids.ts';
import { idOfTurnNote, record, trashRoot, turnDirectory, turnNoteKey } from './layout.ts';
import { decodeDone } from './notes.ts';
import type { Done } from './notes.ts';
import { parseTrashName } from './trash-name.ts';

/** Input of {@link nextNoteId}. */
export interface NoteIds {
  readonly driver: StorageDriver;
  readonly time: number;
  readonly newId: NewId;
  /** The id of the last note of each turn that this storage has made or is about to make. */
  readonly lastNotes: BoundedMap<string>;
}

/**
 * The id of the next note of a turn, after all existing ones, whatever the clocks of their writers said. Looks the new
 * key up, so that the stage expects it to be free.
 */
export async function nextNoteId({ driver, time, newId, lastNotes }: NoteIds, turn: string): Promise<string> {
  const found = (await lastNoteId(driver, turn, lastNotes.get(turn))) ?? '';
  const known = lastNotes.get(turn) ?? ''; // a concurrent commit may have taken an id
  const last = known > found ? known : found;
  const id = last === '' ? newId(time) : newId(time, last);
  lastNotes.set(turn, id);
  await driver.stat([turnNoteKey(turn, id)]);
  return id;
}

/** The id of the last note of a turn after a given one. */
async function lastNoteId(driver: StorageDriver, turn: string, after: string | undefined): Promise<string | undefined> {
  const directory = record(turnDirectory(turn));
  const [entry] = await driver.stat([directory]);
  let last: string | undefined;
  if (entry === undefined) return last;
  const query = after === undefined ? {} : { after: turnNoteKey(turn, after).path };
  for await (const { path } of entriesBelow(driver, directory, { ...query, depth: 1 })) {
    last = idOfTurnNote(nameOf(path)) ?? last;
  }
  return last;
}

/** A change of a turn that is no longer known. */
export interface Unknown {
  /** The id of a trash entry without a known path. */
  readonly trash?: string;
  readonly cause?: unknown;
}

interface Noted {
  readonly id: string;
  readonly done: readonly Done[];
}

/** Changes of a turn, in order, from its notes and from the names of entries removed without room for a note. */
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

import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { readNote } from './note.ts';

/** A note in the lock directory. */
export interface Note {
  readonly number: number;
  readonly owner: string;
}

/** Notes in the lock directory, ordered by number. */
export async function readNotes({ fs }: Disk, directory: string): Promise<readonly Note[]> {
  const children = await fs.readdir(directory, { withFileTypes: true });
  const names = children.map(({ name }) => name).filter((name) => /^\d+$/.test(name));
  const notes = names.map(async (name) => ({ number: Number(name), owner: await readNote(fs, join(directory, name)) }));
  return (await Promise.all(notes))
    .flatMap(({ number, owner }) => (owner === undefined ? [] : [{ number, owner }]))
    .sort((left, right) => left.number - right.number);
}

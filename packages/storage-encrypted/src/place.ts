import { fileError, joinPath } from '@utensil/core/files';
import type { StorageEntry, EntryKey, ListedEntry } from '@utensil/core/storage';
import { plainSize } from './content.ts';
import { isHeader } from './header.ts';
import type { Names } from './names.ts';

/** Stored key of an entry, and its companions. */
export interface Place {
  readonly stored: EntryKey;
  readonly marker: EntryKey | undefined;
  readonly side: (EntryKey & { readonly content: Uint8Array }) | undefined;
}

/** Computes the stored key of an entry. */
export async function placeOf(names: Names, { tree, path }: EntryKey): Promise<Place> {
  let place: Place = { stored: { tree, path: '/' }, marker: undefined, side: undefined };
  for (const part of path === '/' ? [] : path.slice(1).split('/')) {
    const directory = place.stored.path;
    const { name, marker, side } = await names.toStored(part);
    const at = (stored: string): EntryKey => ({ tree, path: joinPath(directory, stored) });
    place = {
      stored: at(name),
      marker: marker === undefined ? undefined : at(marker),
      side: side && { ...at(side.name), content: side.content },
    };
  }
  if (isHeader(place.stored)) throw fileError('EACCES', path, { hint: 'That name is reserved for the encryption.' });
  return place;
}

/** The entry with its plain name and size; size 0 for a damaged file. */
export function plainEntry<Known extends StorageEntry | ListedEntry>(entry: Known, { tree, path }: EntryKey): Known {
  return { ...entry, tree, path, size: entry.kind === 'file' ? (plainSize(entry.size) ?? 0) : 0 };
}

/** Text that uniquely identifies a key. */
export function textOf({ tree, path }: EntryKey): string {
  return `${tree}:${path}`;
}

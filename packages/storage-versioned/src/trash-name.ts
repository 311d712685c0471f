import type { EntryKey } from '@utensil/core/storage';
import { decodeAuthor, encodeAuthor } from './author.ts';
import type { Author } from './author.ts';
import { isFilePath } from './file-path.ts';
import { record, trashRoot } from './layout.ts';

/** Reason for a trash entry: it was removed, or a move replaced it. */
export type TrashReason = 'removed' | 'replaced';

/** Facts that the name of a trash entry encodes. */
export interface TrashName {
  readonly name: string;
  readonly id: string;
  readonly reason: TrashReason;
  readonly by: Author;
  /** The entry is the content itself, without a note. The name contains its path, if that fits. */
  readonly bare?: { readonly path?: string };
}

/** Name of a trash directory with a note of the original path. */
export function trashName(id: string, reason: TrashReason, by: Author): string {
  return `${id}.${reason}.${encodeAuthor(by)}`;
}

/** Name of a trash entry without a note. */
export function bareTrashName(id: string, by: Author, path: string): string {
  const start = `${trashName(id, 'removed', by)}.`;
  const name = start + encodePath(path);
  return new TextEncoder().encode(name).length <= longestName ? name : start;
}

const longestName = 255;

/** Parses the name of a trash entry; undefined for any other name. */
export function parseTrashName(name: string): TrashName | undefined {
  const match = /^([0-9a-z]{10})\.(removed|replaced)\.([^.]*)\.([^./]*)(?:\.([^/]*))?$/.exec(name);
  if (match === null) return undefined;
  const [, id = '', reason, actor, turn, encoded] = match;
  const by = decodeAuthor(actor, turn);
  if (by === undefined || (encoded !== undefined && reason !== 'removed')) return undefined;
  const parsed = { name, id, reason: reason as TrashReason, by };
  if (encoded === undefined) return parsed;
  const path = decodePath(encoded);
  return { ...parsed, bare: path === undefined ? {} : { path } };
}

/** The id in the name of a trash entry; undefined for any other name. */
export function idInTrash(name: string): string | undefined {
  const isPast = parseTrashName(name.replace(past, removed)) !== undefined;
  return isPast || parseTrashName(name) !== undefined ? name.slice(0, name.indexOf('.')) : undefined;
}

const removed = '.removed.';
const past = '.past.';

/** Keys of the parts of a trash entry. */
export interface TrashPlaces {
  readonly content: EntryKey;
  readonly versions: EntryKey;
  /** Note of the original path. */
  readonly about?: EntryKey;
  /** The entries that contain all parts. */
  readonly whole: readonly EntryKey[];
}

export function placesInTrash(name: string): TrashPlaces {
  const entry = record(`${trashRoot}/${name}`);
  if (isBare(name)) {
    const versions = record(`${trashRoot}/${name.replace(removed, past)}`);
    return { content: entry, versions, whole: [entry, versions] };
  }
  const part = (of: string): EntryKey => record(`${entry.path}/${of}`);
  return { content: part('content'), versions: part('versions'), about: part('about.json'), whole: [entry] };
}

function isBare(name: string): boolean {
  return name.split('.', 5).length === 5;
}

/** Encodes a path as part of a name. */
function encodePath(path: string): string {
  return path.slice(1).replaceAll('%', '%25').replaceAll('!', '%21').replaceAll('/', '!');
}

function decodePath(encoded: string): string | undefined {
  const path = `/${encoded.replaceAll('!', '/').replaceAll('%21', '!').replaceAll('%25', '%')}`;
  return isFilePath(path) ? path : undefined;
}

import type { EntryKey } from '@utensil/core/storage';
import { decodeAuthor, encodeAuthor } from './author.ts';
import type { Author } from './author.ts';
import { isFilePath } from './file-path.ts';
import { record, trashRoot } from './layout.ts';

/** Why something is in the trash: it was removed, or something was moved into its place. */
export type TrashReason = 'removed' | 'replaced';

/** What the name of something in the trash says. */
export interface TrashName {
  readonly name: string;
  readonly id: string;
  readonly reason: TrashReason;
  readonly by: Author;
  /** The entry is the content itself. Its path, if that fits, is in the name; no note says more. */
  readonly bare?: { readonly path?: string };
}

/** The name of what is in the trash, in a directory with a note of its path. */
export function trashName(id: string, reason: TrashReason, by: Author): string {
  return `${id}.${reason}.${encodeAuthor(by)}`;
}

/** The name of what is in the trash without a note. */
export function bareTrashName(id: string, by: Author, path: string): string {
  const start = `${trashName(id, 'removed', by)}.`;
  const name = start + encodePath(path);
  return new TextEncoder().encode(name).length <= longestName ? name : start;
}

const longestName = 255;

/** What the name of something in the trash says; undefined for any other name. */
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

/** The id in the name of anything that the trash keeps; undefined for any other name. */
export function idInTrash(name: string): string | undefined {
  const isPast = parseTrashName(name.replace(past, removed)) !== undefined;
  return isPast || parseTrashName(name) !== undefined ? name.slice(0, name.indexOf('.')) : undefined;
}

const removed = '.removed.';
const past = '.past.';

/** Where the parts of something in the trash are. */
export interface TrashPlaces {
  readonly content: EntryKey;
  readonly versions: EntryKey;
  /** The note of its path. */
  readonly about?: EntryKey;
  /** What contains all of it. */
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

/** A path as part of a name. */
function encodePath(path: string): string {
  return path.slice(1).replaceAll('%', '%25').replaceAll('!', '%21').replaceAll('/', '!');
}

function decodePath(encoded: string): string | undefined {
  const path = `/${encoded.replaceAll('!', '/').replaceAll('%21', '!').replaceAll('%25', '%')}`;
  return isFilePath(path) ? path : undefined;
}

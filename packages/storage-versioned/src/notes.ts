// Notes stored in the history. They are read as untrusted input.

import { isUtensilError } from '@utensil/core';
import { decodeChecked, encodeChecked } from '@utensil/core/storage';
import type { StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { isFilePath } from './file-path.ts';

/** Content of `about.json`: a note about an entry in the trash. */
export interface About {
  readonly path: string;
  /** `versions`: only old versions of a file that another program removed. */
  readonly kind: StorageEntry['kind'] | 'versions';
}

/** A change made by a turn, with the facts that undoing it needs. */
export type Done =
  /** Without a version, the turn created the file. */
  | { readonly type: 'write'; readonly path: string; readonly version?: string }
  | { readonly type: 'make-directory'; readonly path: string }
  /** The directory was empty; others go to the trash. */
  | { readonly type: 'remove-directory'; readonly path: string }
  | { readonly type: 'remove'; readonly path: string; readonly trash: string }
  /** Etag of the moved entry. */
  | { readonly type: 'move'; readonly path: string; readonly to: string; readonly etag: string };

/** Encodes a note for storage. */
export function encodeNote(note: About | readonly Done[]): Uint8Array {
  return encodeChecked(note);
}

/** Reads the bytes of a note; undefined if it is missing or the storage reports it as damaged. */
export async function readNote(driver: StorageDriver, key: EntryKey): Promise<Uint8Array | undefined> {
  try {
    return (await driver.read(key))?.content;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return undefined;
    throw error;
  }
}

/** Decodes a note about a trash entry; undefined if it is damaged. */
export function decodeAbout(content: Uint8Array): About | undefined {
  const about = decodeChecked(content);
  return isAbout(about) ? about : undefined;
}

/** Decodes a note of a turn; undefined if it is damaged. */
export function decodeDone(content: Uint8Array): readonly Done[] | undefined {
  const done = decodeChecked(content);
  return Array.isArray(done) && done.every(isDone) ? done : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isAbout(value: unknown): value is About {
  return hasFields(value) && isFilePath(value['path']) && kinds.some((kind) => kind === value['kind']);
}

const kinds: readonly About['kind'][] = ['file', 'directory', 'versions'];

const checks: Readonly<Record<Done['type'], (done: Fields) => boolean>> = {
  write: ({ version }) => version === undefined || typeof version === 'string',
  'make-directory': () => true,
  'remove-directory': () => true,
  remove: ({ trash }) => typeof trash === 'string',
  move: ({ to, etag }) => isFilePath(to) && typeof etag === 'string',
};

function isDone(value: unknown): value is Done {
  if (!hasFields(value) || !isFilePath(value['path'])) return false;
  const check = Object.entries(checks).find(([type]) => type === value['type'])?.[1];
  return check?.(value) === true;
}

// What is written down beside what is kept. It is read as if anybody could have changed it.

import { isUtensilError } from '@utensil/core';
import { decodeChecked, encodeChecked } from '@utensil/core/storage';
import type { StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { isFilePath } from './file-path.ts';

/** What `about.json` says of something in the trash. */
export interface About {
  readonly path: string;
  /** `versions`: nothing but old versions of a file that another program removed. */
  readonly kind: StorageEntry['kind'] | 'versions';
}

/** What a turn did, as far as it has to be known to undo it. */
export type Done =
  /** Without a version, the file was made. */
  | { readonly type: 'write'; readonly path: string; readonly version?: string }
  | { readonly type: 'make-directory'; readonly path: string }
  /** It was empty: what is not, goes to the trash. */
  | { readonly type: 'remove-directory'; readonly path: string }
  | { readonly type: 'remove'; readonly path: string; readonly trash: string }
  /** The etag is that of what was moved. */
  | { readonly type: 'move'; readonly path: string; readonly to: string; readonly etag: string };

/** A note as it is stored. */
export function encodeNote(note: About | readonly Done[]): Uint8Array {
  return encodeChecked(note);
}

/** What is stored of a note; undefined if there is none, or if the storage knows that it is damaged. */
export async function readNote(driver: StorageDriver, key: EntryKey): Promise<Uint8Array | undefined> {
  try {
    return (await driver.read(key))?.content;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return undefined;
    throw error;
  }
}

/** What a note says of something in the trash; undefined if it is damaged. */
export function decodeAbout(content: Uint8Array): About | undefined {
  const about = decodeChecked(content);
  return isAbout(about) ? about : undefined;
}

/** What a note says that a turn did; undefined if it is damaged. */
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

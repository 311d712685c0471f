import { isUtensilError } from '@utensil/core';
import { isWithin, resolvePath } from '@utensil/core/files';
import { decodeChecked, encodeChecked } from '@utensil/core/storage';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { keyOfCut } from './ledger.ts';

/**
 * Paths and etags that the lower storage had at a cut and below it. Null: unknown from this path down, because the
 * record was damaged.
 */
export type Base = readonly (readonly [path: string, etag: string | null])[];

/** Reads the record of a cut; a damaged record reads as unknown. */
export async function readBase(upper: StorageDriver, cut: string): Promise<Base> {
  const { path } = keyOfCut(cut);
  const content = await readContent(upper, cut);
  if (content === undefined) return [];
  const base = content === 'unreadable' ? undefined : decodeChecked(content);
  return isBase(base, path) ? base : [[path, null]];
}

async function readContent(upper: StorageDriver, path: string): Promise<Uint8Array | 'unreadable' | undefined> {
  try {
    return (await upper.read({ tree: 'records', path }))?.content;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return 'unreadable';
    throw error;
  }
}

/** The change that writes the record of a cut. */
export function writeBase(cut: string, base: Base): StorageChange {
  return { tree: 'records', path: cut, type: 'write', content: encodeChecked(base) };
}

/** True for a value that {@link writeBase} writes: it includes the cut itself, and nothing outside it. */
function isBase(value: unknown, cut: string): value is Base {
  if (!Array.isArray(value) || !value.every((each) => isLine(each, cut))) return false;
  return value.some(([path]) => path === cut);
}

function isLine(value: unknown, cut: string): value is Base[number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [path, etag]: readonly unknown[] = value;
  const isKnown = etag === null || typeof etag === 'string';
  return isKnown && typeof path === 'string' && isWithin(cut, path) && isNormal(path);
}

function isNormal(path: string): boolean {
  try {
    return resolvePath(path) === path;
  } catch {
    return false;
  }
}

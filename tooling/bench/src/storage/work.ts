import type { Content } from './keeper.ts';

/** Amount of work. */
export interface Amounts {
  /** Number of small files for each part of the work. */
  readonly small: number;
  /** Number of files that are listed and searched. */
  readonly many: number;
  readonly largeBytes: number;
}

export const groupSize = 100;
const smallBytes = 1024;
const manyBytes = 5000;

/** The search term, and the number of files per file that contains it. */
export const needle = 'a needle in this haystack';
const haystack = 1000;

const encoder = new TextEncoder();
const prose = 'It was neither the best of times nor the worst, and nobody had asked for either. ';

export const smallDirectories: readonly string[] = Array.from({ length: 100 }, (_, index) => `/notes/${index}`);

/** A small file of a part of the work; 20 files share a directory. */
export function smallFile(
  index: number,
  { part, edition }: { readonly part: string; readonly edition: number },
): Content {
  const path = `${smallDirectories[Math.floor(index / 20) % smallDirectories.length]}/${part}-${index}.md`;
  return { path, bytes: filled(`${part} ${index}, edition ${edition}. `, smallBytes) };
}

export const manyDirectory = '/many';

export function manyFile(index: number): Content {
  const start = hasNeedle(index) ? `${index}: ${'hay '.repeat(500)}${needle}. ` : `${index}: `;
  return { path: `${manyDirectory}/file-${index}.txt`, bytes: filled(start, manyBytes) };
}

export function hasNeedle(index: number): boolean {
  return index % haystack === 7;
}

/** Binary data that does not compress well. */
export function largeFile(size: number): Content {
  const bytes = new Uint8Array(size);
  let state = 1;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = state >>> 24;
  }
  return { path: '/large.bin', bytes };
}

/** A text of this many bytes. */
function filled(start: string, size: number): Uint8Array {
  return encoder.encode((start + prose.repeat(Math.ceil(size / prose.length))).slice(0, size));
}

export function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

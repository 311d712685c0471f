import type { Content } from './keeper.ts';

/** How much there is to do. */
export interface Amounts {
  /** Small files, for each part of the work. */
  readonly small: number;
  /** Files that are listed and searched. */
  readonly many: number;
  readonly largeBytes: number;
}

export const groupSize = 100;
const smallBytes = 1024;
const manyBytes = 5000;

/** What is searched for, and how many files there are for each that contains it. */
export const needle = 'a needle in this haystack';
const haystack = 1000;

const encoder = new TextEncoder();
const prose = 'It was neither the best of times nor the worst, and nobody had asked for either. ';

export const smallDirectories: readonly string[] = Array.from({ length: 100 }, (_, index) => `/notes/${index}`);

/** A small file of one of the parts of the work; 20 at a time are in the same directory. */
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

/** Bytes that are no text, and that nothing can compress to nothing. */
export function largeFile(size: number): Content {
  const bytes = new Uint8Array(size);
  let state = 1;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = state >>> 24;
  }
  return { path: '/large.bin', bytes };
}

/** A text of so many bytes. */
function filled(start: string, size: number): Uint8Array {
  return encoder.encode((start + prose.repeat(Math.ceil(size / prose.length))).slice(0, size));
}

export function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

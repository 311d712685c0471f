import type { Chunk } from './chunk.ts';
import { isTag, wordsIn } from './words.ts';

/** A section of a note that shares words with a query. */
export interface Candidate {
  readonly path: string;
  readonly chunk: Chunk;
  /** Occurrences of each query word. */
  readonly counts: readonly number[];
  /** In words. */
  readonly length: number;
}

/** A section and its score. */
export interface Ranked {
  readonly path: string;
  readonly chunk: Chunk;
  readonly score: number;
}

/** Weight of a word in the title or a heading, relative to the text. */
const inTitle = 3;

/** A section of a note, with the note's title. */
export interface Section {
  readonly path: string;
  /** Name and tags of the note. */
  readonly title: string;
  readonly chunk: Chunk;
}

/** Counts query words in a section. A longer word with that prefix counts half. */
export function candidateOf({ path, title, chunk }: Section, query: readonly string[]): Candidate {
  const text = wordsIn(chunk.lines.join('\n'));
  const heading = wordsIn(`${title} ${chunk.headings.join(' ')}`);
  const counts = query.map((wanted) => countOf(wanted, text) + inTitle * countOf(wanted, heading));
  return { path, chunk, counts, length: text.length };
}

function countOf(wanted: string, words: readonly string[]): number {
  let count = 0;
  for (const word of words) {
    if (word === wanted) count++;
    else if (isTag(wanted)) count += word.startsWith(`${wanted}/`) ? 1 : 0;
    else if (wanted.length >= 4 && word.startsWith(wanted)) count += 0.5;
  }
  return count;
}

/** Usual constants of BM25. */
const [saturation, lengthShare] = [1.2, 0.75];

/** Ranks sections by BM25, best first, and keeps the best one of each note. */
export function rank(candidates: readonly Candidate[], query: readonly string[]): readonly Ranked[] {
  const total = candidates.length;
  const average = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(total, 1);
  const weights = query.map((_, index) => {
    const having = candidates.filter(({ counts }) => (counts[index] ?? 0) > 0).length;
    return Math.log(1 + (total - having + 0.5) / (having + 0.5));
  });
  const best = new Map<string, Ranked>();
  for (const { path, chunk, counts, length } of candidates) {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(average, 1));
    const score = counts.reduce((sum, count, index) => {
      return sum + ((weights[index] ?? 0) * count * (saturation + 1)) / (count + norm);
    }, 0);
    const isFitting = score > 0 || query.length === 0;
    if (isFitting && score > (best.get(path)?.score ?? -1)) best.set(path, { path, chunk, score });
  }
  return [...best.values()].sort((left, right) => right.score - left.score || (left.path < right.path ? -1 : 1));
}

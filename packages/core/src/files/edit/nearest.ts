import { beginningOf } from './abridge.ts';
import { loosest, toForm } from './form.ts';
import { toLf } from './line-breaks.ts';
import { occurrencesOf } from './occurrences.ts';
import { linesOfOffsets } from './places.ts';
import type { Replacement } from './replacement.ts';

/** Bounds on the cost of a hint, whatever the text: lines, characters in total and per line, anchors, examples. */
const most = { lines: 20_000, characters: 1_000_000, ofLine: 200, anchors: 3, shown: 3, excerpt: 120 };

/** A shorter text may occur anywhere, and proves nothing. */
const telling = 10;

/** Hints for texts that are not found: they were replaced already, or something similar is elsewhere. */
export type Nearest = (replacement: Replacement) => string;

/** Creates a source of hints for one text. Its lines are prepared once, for the first hint that needs them. */
export function createNearest(text: string): Nearest {
  let known: readonly KnownLine[] | undefined;
  const lines = (): readonly KnownLine[] => (known ??= knownLines(text));
  return ({ oldText, newText }) => {
    const done = newText.trim().length < telling ? undefined : occurrencesOf(text, newText).next().value;
    if (done !== undefined) return `The new text is there already, on line ${linesOfOffsets(text, [done]).join('')}.`;
    if (text === '') return 'The file is empty: write it as a whole.';
    const sought = linesToCompare(oldText);
    if (sought.every((line) => numbered.test(line)))
      return 'Leave out the numbers of the lines: they are not in the file.';
    const hint = sought.length === 1 ? likeLine(lines(), sought[0] ?? '') : likeLines(lines(), sought);
    return hint === undefined ? 'Nothing in the file is much like it: read the file again.' : `${hint} ${advice}`;
  };
}

/** Line prefixes of listings: `  12\t…`, `12 | …`, `12: …`. */
const numbered = /^ {0,8}\d{1,7}(?:\t| ?\| |: )/;

const advice = 'Take the text as it is in the file.';

/** A line, and the beginning of its form for comparison. */
interface KnownLine {
  readonly line: string;
  readonly folded: string;
}

function linesToCompare(text: string): readonly string[] {
  return toLf(text).replace(/\n$/, '').split('\n', most.lines);
}

function knownLines(text: string): readonly KnownLine[] {
  let room = most.characters;
  return linesToCompare(text).map((line) => {
    const folded = room > 0 ? fold(line) : '';
    room -= folded.length;
    return { line, folded };
  });
}

function fold(line: string): string {
  const beginning = line.trim().slice(0, most.ofLine);
  return (toForm(beginning, loosest)?.text ?? beginning).toLowerCase();
}

function likeLine(lines: readonly KnownLine[], sought: string): string | undefined {
  const [likenessTo] = likenessesOf([sought]);
  const found = lines
    .map(({ line, folded }, index) => ({ number: index + 1, line, likeness: likenessTo?.(pairsOf(folded)) ?? 0 }))
    .filter(({ likeness }) => likeness >= 0.5)
    .sort((left, right) => right.likeness - left.likeness || left.number - right.number)
    .slice(0, most.shown)
    .map(({ number, line }) => `line ${number}, ${excerpt(line)}`);
  return found.length === 0 ? undefined : `Most alike: ${found.join('; ')}.`;
}

/** The lines of the text that are most similar to the given ones, and the first line that differs. */
function likeLines(lines: readonly KnownLine[], sought: readonly string[]): string | undefined {
  const first = mostAlike(lines, sought);
  if (first === undefined) return undefined;
  const last = Math.min(first + sought.length, lines.length);
  const different = sought.findIndex((line, index) => line !== lines[first + index]?.line);
  const range = `Most alike: lines ${first + 1} to ${last}`;
  if (different === -1)
    return sought.length < most.lines ? `${range}.` : `${range}, and the difference is behind them.`;
  const line = lines[first + different]?.line;
  if (line === undefined) return `${range}, where the file ends.`;
  return `${range}, different at first on line ${first + different + 1}, ${excerpt(line)}.`;
}

/** Start of the most similar lines: identical lines if there are any, chosen by the longest. */
function mostAlike(lines: readonly KnownLine[], sought: readonly string[]): number | undefined {
  const anchors = anchorsOf(sought);
  const likenesses = likenessesOf(anchors.map(({ line }) => line));
  const hits = anchors.map((): { readonly start: number; readonly likeness: number }[] => []);
  for (const [at, { folded }] of lines.entries()) {
    const pairs = pairsOf(folded);
    for (const [anchor, { index }] of anchors.entries()) {
      const likeness = at < index ? 0 : (likenesses[anchor]?.(pairs) ?? 0);
      if (likeness >= 0.5) hits[anchor]?.push({ start: at - index, likeness });
    }
  }
  const scores = new Map<number, number>();
  for (const { start, likeness } of hits.flat()) scores.set(start, (scores.get(start) ?? 0) + likeness);
  let [first, best] = [-1, 0];
  for (const [start, score] of scores) if (score > best) [first, best] = [start, score];
  return first === -1 ? undefined : first;
}

/** The longest lines, which are the least likely to occur elsewhere. */
function anchorsOf(lines: readonly string[]): readonly { readonly index: number; readonly line: string }[] {
  return lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => line.trim() !== '')
    .sort((left, right) => right.line.length - left.line.length || left.index - right.index)
    .slice(0, most.anchors);
}

type Pairs = ReadonlySet<string>;

/** Similarity of lines, from 0 to 1: the share of common bigrams. */
function likenessesOf(sought: readonly string[]): readonly ((pairs: Pairs) => number)[] {
  return sought.map((line) => {
    const wanted = pairsOf(fold(line));
    return (pairs) => {
      let common = 0;
      for (const pair of pairs) if (wanted.has(pair)) common++;
      return wanted.size === 0 ? 0 : (2 * common) / (wanted.size + pairs.size);
    };
  });
}

function pairsOf(folded: string): Pairs {
  const pairs = new Set<string>();
  for (let index = 1; index < folded.length; index++) pairs.add(folded.slice(index - 1, index + 1));
  return pairs;
}

/** A line for display, with tabs and quotes visible, truncated. */
function excerpt(line: string): string {
  const cut = line.length > most.excerpt ? `${beginningOf(line, most.excerpt)}…` : line;
  return JSON.stringify(cut);
}

import { loosest, toForm } from './form.ts';
import { toLf } from './line-breaks.ts';
import { occurrencesOf } from './occurrences.ts';
import { linesOfOffsets } from './places.ts';
import type { Replacement } from './replacement.ts';

/** What is looked at, so that a hint costs little whatever the text: lines, characters of a line, anchors, examples. */
const most = { lines: 20_000, characters: 200, anchors: 3, shown: 3, excerpt: 120 };

/** A shorter text may be anywhere, and says nothing about what was done. */
const telling = 10;

/** What to say of a text that is not there: that it has been replaced already, or where something is that is like it. */
export function nearest(text: string, { oldText, newText }: Replacement): string {
  const [done] = newText.trim().length < telling ? [] : occurrencesOf(text, newText);
  if (done !== undefined) return `The new text is there already, on line ${linesOfOffsets(text, [done]).join('')}.`;
  if (text === '') return 'The file is empty: write it as a whole.';
  const lines = toLf(text).replace(/\n$/, '').split('\n', most.lines);
  const sought = toLf(oldText).replace(/\n$/, '').split('\n', most.lines);
  if (sought.every((line) => numbered.test(line)))
    return 'Leave out the numbers of the lines: they are not in the file.';
  const hint = sought.length === 1 ? likeLine(lines, sought[0] ?? '') : likeLines(lines, sought);
  return hint === undefined ? 'Nothing in the file is much like it: read the file again.' : `${hint} ${advice}`;
}

/** As listings show lines: `  12\t…`, `12 | …`, `12: …`. */
const numbered = /^ {0,8}\d{1,7}(?:\t| ?\| |: )/;

const advice = 'Take the text as it is in the file.';

function likeLine(lines: readonly string[], sought: string): string | undefined {
  const likenessTo = likenessOf(sought);
  const found = lines
    .map((line, index) => ({ number: index + 1, line, likeness: likenessTo(line) }))
    .filter(({ likeness }) => likeness >= 0.5)
    .sort((left, right) => right.likeness - left.likeness || left.number - right.number)
    .slice(0, most.shown)
    .map(({ number, line }) => `line ${number}, ${excerpt(line)}`);
  return found.length === 0 ? undefined : `Most alike: ${found.join('; ')}.`;
}

/** The lines of the text that are most like several, and the first of them that differs. */
function likeLines(lines: readonly string[], sought: readonly string[]): string | undefined {
  const scores = new Map<number, number>();
  for (const { index, line } of anchorsOf(sought)) {
    const likenessTo = likenessOf(line);
    for (const [at, each] of lines.entries()) {
      const likeness = likenessTo(each);
      if (likeness >= 0.5 && at >= index) scores.set(at - index, (scores.get(at - index) ?? 0) + likeness);
    }
  }
  let [first, best] = [-1, 0];
  for (const [start, score] of scores) if (score > best) [first, best] = [start, score];
  if (first === -1) return undefined;
  const last = Math.min(first + sought.length, lines.length);
  const different = sought.findIndex((line, index) => line !== lines[first + index]);
  const range = `Most alike: lines ${first + 1} to ${last}`;
  if (different === -1) return `${range}.`;
  const line = lines[first + different];
  if (line === undefined) return `${range}, where the file ends.`;
  return `${range}, different at first on line ${first + different + 1}, ${excerpt(line)}.`;
}

/** The longest lines: what they say is said nowhere else, if anything is. */
function anchorsOf(lines: readonly string[]): readonly { readonly index: number; readonly line: string }[] {
  return lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => line.trim() !== '')
    .sort((left, right) => right.line.length - left.line.length || left.index - right.index)
    .slice(0, most.anchors);
}

/** How much lines are like one, from 0 to 1: the share of the pairs of characters that both have. */
function likenessOf(sought: string): (line: string) => number {
  const wanted = pairsOf(sought);
  return (line) => {
    const pairs = pairsOf(line);
    let common = 0;
    for (const pair of pairs) if (wanted.has(pair)) common++;
    return wanted.size === 0 ? 0 : (2 * common) / (wanted.size + pairs.size);
  };
}

function pairsOf(line: string): ReadonlySet<string> {
  const folded = toForm(line.trim().slice(0, most.characters), loosest).text.toLowerCase();
  const pairs = new Set<string>();
  for (let index = 1; index < folded.length; index++) pairs.add(folded.slice(index - 1, index + 1));
  return pairs;
}

/** A line as it is, tabs and quotes made visible, and not endless. */
function excerpt(line: string): string {
  const cut = line.length > most.excerpt ? `${line.slice(0, most.excerpt)}…` : line;
  return JSON.stringify(cut);
}

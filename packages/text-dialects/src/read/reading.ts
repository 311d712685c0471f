import type { Block, BlockReading, InputEvent } from './block.ts';
import { isBlank, more } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { escaped } from '../text/signs.ts';
import type { Source } from '../text/source.ts';

// Steps that all readers of blocks share.

/** True if the input has ended. Waits until that is known. */
export function* atEnd(source: Source): BlockReading<boolean> {
  while (source.peek() === '') {
    if (source.isEnded) return true;
    yield undefined;
  }
  return false;
}

/** The event of a reader that waits for more text, with the arguments that it has read since the last. */
export function waiting(delta: string): InputEvent | undefined {
  return delta === '' ? undefined : { type: 'input', delta, waits: true };
}

export function* skipBlanks(source: Source): BlockReading<void> {
  while (!(yield* atEnd(source)) && isBlank(source.peek())) source.skip(1);
}

/** Passes over everything up to the first of these: those of `ends` too, those of `stops` not. Or to the end. */
export function* skipPast(
  source: Source,
  ends: readonly string[],
  stops: readonly string[] = [],
): BlockReading<boolean> {
  const words = [...ends, ...stops];
  const longest = Math.max(...words.map(({ length }) => length));
  const find = finderOf(words);
  for (;;) {
    const rest = source.rest();
    const first = find(rest);
    const open = source.isEnded ? rest.length : openAt(rest, words, longest);
    if (first !== undefined && first.at <= open) {
      source.skip(first.at + (ends.includes(first.word) ? first.word.length : 0));
      return true;
    }
    if (source.isEnded) {
      source.skip(rest.length);
      return false;
    }
    source.skip(open);
    yield undefined;
  }
}

/** The index at which a truncated one of these may begin at the end. */
function openAt(text: string, words: readonly string[], longest: number): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++)
    if (words.some((word) => word.length > text.length - at && word.startsWith(text.slice(at)))) return at;
  return text.length;
}

interface Word {
  readonly at: number;
  readonly word: string;
}

const finders = new Map<string, (text: string) => Word | undefined>();

/** Broken calls are skipped with the same words again and again; words with names of tools in them may be any. */
const mostFinders = 500;

function finderOf(words: readonly string[]): (text: string) => Word | undefined {
  const key = words.join('\0');
  const known = finders.get(key);
  if (known !== undefined) return known;
  const made = createFinder(words);
  if (finders.size < mostFinders) finders.set(key, made);
  return made;
}

/** Finds the first of these: one search for all, for a word that is rare must not be looked for up to the end each time. */
function createFinder(words: readonly string[]): (text: string) => Word | undefined {
  const [only = ''] = words;
  if (words.length === 1)
    return (text) => {
      const at = text.indexOf(only);
      return at < 0 ? undefined : { at, word: only };
    };
  const search = new RegExp(words.map(escaped).join('|'));
  return (text) => {
    const found = search.exec(text);
    return found === null ? undefined : { at: found.index, word: found[0] };
  };
}

/** Takes the text before the next match of a pattern, or to the end. */
export function takeUntil(source: Source, pattern: RegExp): string {
  const rest = source.rest();
  const end = rest.search(pattern);
  return source.take(end < 0 ? rest.length : end);
}

/** The next line, and how it ended; empty at the end of the text. */
export function* takeLine(source: Source): BlockReading<{ readonly text: string; readonly ending: string }> {
  const line = source.record();
  yield* skipPast(source, ['\n']);
  line.stop();
  const whole = line.text();
  const ending = whole.endsWith('\r\n') ? '\r\n' : whole.endsWith('\n') ? '\n' : '';
  return { text: whole.slice(0, whole.length - ending.length), ending };
}

/** Looks ahead until it is clear what is there. */
export function* look<Found>(
  { source }: Block,
  find: (view: View) => Found | typeof more,
): BlockReading<Exclude<Found, typeof more>> {
  for (;;) {
    const found = find({ text: source.rest(), isEnded: source.isEnded });
    if (found !== more) return found as Exclude<Found, typeof more>;
    yield undefined;
  }
}

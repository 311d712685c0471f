import type { Block, BlockReading, InputEvent } from './block.ts';
import { isBlank, more } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { createSigns } from '../text/signs.ts';
import type { Signs } from '../text/signs.ts';
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

/** Yields the next fragment of a call's arguments, unless it is empty. */
export function* tell(delta: string): BlockReading<void> {
  if (delta !== '') yield { type: 'input', delta };
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
  const signs = signsOf(words);
  for (;;) {
    const rest = source.rest();
    const at = signs.next(rest, 0, source.isEnded);
    const word = words.find((each) => rest.startsWith(each, at));
    source.skip(at + (word !== undefined && ends.includes(word) ? word.length : 0));
    if (word !== undefined) return true;
    if (source.isEnded) return false;
    yield undefined;
  }
}

const known = new Map<string, Signs>();

/** Broken calls are skipped with the same words again and again; words with names of tools in them may be any. */
const mostKnown = 500;

function signsOf(words: readonly string[]): Signs {
  const key = words.join('\0');
  const signs = known.get(key) ?? createSigns(words);
  if (known.size < mostKnown) known.set(key, signs);
  return signs;
}

/** Takes the text before the next match of a pattern, or to the end. */
export function takeUntil(source: Source, pattern: RegExp): string {
  const rest = source.rest();
  const end = rest.search(pattern);
  return source.take(end < 0 ? rest.length : end);
}

/** The next line, and how it ended; empty at the end of the text. */
export function* takeLine(source: Source): BlockReading<{ readonly text: string; readonly ending: string }> {
  let text = '';
  for (;;) {
    text += takeUntil(source, /\n/);
    if (source.peek() !== '') break;
    if (yield* atEnd(source)) return { text, ending: '' };
  }
  source.skip(1);
  return text.endsWith('\r') ? { text: text.slice(0, -1), ending: '\r\n' } : { text, ending: '\n' };
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

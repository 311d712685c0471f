import { blanks, literal, no } from './lookahead.ts';
import { skipBlanks } from './reading.ts';
import type { Scan } from './scan-event.ts';
import type { Source } from './source.ts';

/** Thoughts at the beginning of the turn. */
export function* scanThoughts(source: Source, [open, close]: readonly [string, string]): Scan {
  for (;;) {
    const view = { text: source.rest(), isEnded: source.isEnded };
    const at = blanks(view, 0);
    const end = at < 0 ? at : literal(view, at, open);
    if (end === no) return;
    if (end > 0) source.skip(end);
    if (end > 0) break;
    yield undefined;
  }
  for (;;) {
    const rest = source.rest();
    const end = rest.indexOf(close);
    const length = end >= 0 ? end : source.isEnded ? rest.length : keptLength(rest, close);
    if (length > 0) yield { type: 'reasoning', text: source.take(length) };
    if (end >= 0) break;
    if (source.isEnded) return;
    yield undefined;
  }
  source.skip(close.length);
  yield* skipBlanks(source) as Scan;
}

/** How much of a text cannot be the beginning of `word`. */
function keptLength(text: string, word: string): number {
  let length = Math.max(0, text.length - word.length + 1);
  while (length < text.length && !word.startsWith(text.slice(length))) length++;
  return length;
}

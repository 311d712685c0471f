import type { Json } from '@utensil/core';
import { isForTerminal, terminalText } from './ansi.ts';
import { headOf } from './bounded.ts';
import { firstOf, stretchesOf } from './visible.ts';
import type { Stretch } from './visible.ts';

/** Maximum characters to inspect before the whole value is requested. */
const readCharacters = 50_000;
const shownCharacters = 4_000;
const shownLines = 40;

/** Visible start of a value, and whether that is all. */
export function beginningOf(value: Json): { readonly stretches: readonly Stretch[]; readonly isWhole: boolean } {
  const head = headOf(value, readCharacters, Infinity);
  const first = firstOf(stretchesOf(readable(head.text)), shownCharacters, shownLines);
  return { stretches: first.stretches, isWhole: head.isWhole && first.isWhole };
}

/** A text, or the final state of terminal output. */
export function readable(text: string): string {
  return isForTerminal(text) ? terminalText(text) : text;
}

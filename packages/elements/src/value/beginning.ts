import type { Json } from '@utensil/core';
import { isForTerminal, terminalText } from './ansi.ts';
import { headOf } from './bounded.ts';
import { firstOf, stretchesOf } from './visible.ts';
import type { Stretch } from './visible.ts';

/** Of what is longer, nothing is looked at before all of it is asked for. */
const readCharacters = 50_000;
const shownCharacters = 4_000;
const shownLines = 40;

/** What of a value is shown before all of it is asked for, and whether that is all. */
export function beginningOf(value: Json): { readonly stretches: readonly Stretch[]; readonly isWhole: boolean } {
  const head = headOf(value, readCharacters, Infinity);
  const first = firstOf(stretchesOf(readable(head.text)), shownCharacters, shownLines);
  return { stretches: first.stretches, isWhole: head.isWhole && first.isWhole };
}

/** A text as it is, and what a terminal would show of one that is for terminals. */
export function readable(text: string): string {
  return isForTerminal(text) ? terminalText(text) : text;
}

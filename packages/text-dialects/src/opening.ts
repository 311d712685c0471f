import type { Opening, Place } from './block.ts';
import type { Dialect, Grammar } from './dialect.ts';
import { grammarsOf, opens } from './grammar.ts';
import { more, no } from './lookahead.ts';

/** A call that begins, and in which dialect. */
export interface Found {
  readonly dialect: Dialect;
  readonly grammar: Grammar;
  readonly opening: Opening;
}

/** Which dialect has a call begin right here: the first one, and one that only tried where none has. */
export function openingAt(dialects: readonly Dialect[], place: Place): Found | typeof no | typeof more {
  let weak: Found | undefined;
  let isOpen = false;
  for (const dialect of dialects) {
    for (const grammar of grammarsOf(dialect)) {
      const opening = opens(grammar, place);
      if (opening === more) isOpen = true;
      else if (opening !== no && opening.isWeak !== true) return isOpen ? more : { dialect, grammar, opening };
      else if (opening !== no) weak ??= { dialect, grammar, opening };
    }
  }
  return isOpen ? more : (weak ?? no);
}

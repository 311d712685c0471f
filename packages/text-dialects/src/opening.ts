import type { Opening, Place } from './block.ts';
import type { Dialect } from './dialect.ts';
import { opens } from './grammar.ts';
import { more, no } from './lookahead.ts';

/** A call that begins, and in which dialect. */
export interface Found {
  readonly dialect: Dialect;
  readonly opening: Opening;
}

/** Which dialect has a call begin right here: the first one, and one that only tried where none has. */
export function openingAt(dialects: readonly Dialect[], place: Place): Found | typeof no | typeof more {
  let weak: Found | undefined;
  let isOpen = false;
  for (const dialect of dialects) {
    const opening = opens(dialect.grammar, place);
    if (opening === more) isOpen = true;
    else if (opening !== no && opening.isWeak !== true) return isOpen ? more : { dialect, opening };
    else if (opening !== no) weak ??= { dialect, opening };
  }
  return isOpen ? more : (weak ?? no);
}

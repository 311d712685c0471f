import type { Opening, Place } from '../read/block.ts';
import { opens } from '../read/grammar.ts';
import type { Form } from './lexicon.ts';
import { more, no } from '../text/lookahead.ts';

/** A call that begins, and in which form. */
export interface Found extends Form {
  readonly opening: Opening;
}

/** Form of a call that begins right here: the first match, and attempts only if there is no match. */
export function openingAt(forms: readonly Form[], place: Place): Found | typeof no | typeof more {
  let weak: Found | undefined;
  let isOpen = false;
  for (const form of forms) {
    const opening = opens(form.grammar, place);
    if (opening === more) isOpen = true;
    else if (opening !== no && opening.isWeak !== true) return isOpen ? more : { ...form, opening };
    else if (opening !== no) weak ??= { ...form, opening };
  }
  return isOpen ? more : (weak ?? no);
}

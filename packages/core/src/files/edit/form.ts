import { foldCharacters } from './characters.ts';
import type { FoldedText } from './characters.ts';
import { createOrigin } from './origin.ts';

/** What a form of a text leaves out of account, beyond line breaks. */
export interface FormRules {
  /** Blanks at the ends of lines. */
  readonly blanks: boolean;
  /** How characters are written: quotes, dashes, spaces, ligatures, accents. */
  readonly characters: boolean;
}

/** As much as a form can leave out. */
export const loosest: FormRules = { blanks: true, characters: true };

/**
 * A text as it is compared, and where each of its characters comes from. Several may come from the same place, as `ﬁ`
 * gives `fi`: such a unit is matched as a whole or not at all.
 */
export interface Form {
  readonly text: string;
  /** Where the unit of a character begins in the text itself. */
  startOf(index: number): number;
  /** Where the unit of a character ends in the text itself. */
  endOf(index: number): number;
  /** True if a unit begins at an index of the form; also true at its end. */
  isBoundary(index: number): boolean;
  /** The last line break is not in the text itself. */
  readonly isOpen: boolean;
}

/** So many stretches of a form are remembered; a text of more is one that nobody edits by heart. */
const mostStretches = 2 * 1024 * 1024;

/**
 * The form of a text. With `closed`, the last line ends in a line break whether there is one or not, so that whole lines
 * are found at the end too. Undefined if more than two million parts of the text are otherwise in it.
 */
export function toForm(text: string, { blanks, characters }: FormRules, closed = false): Form | undefined {
  const form = createBuilder(text);
  for (let start = 0; start < text.length && !form.isFull();) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found + 1;
    const isCrlf = found > start && text[found - 1] === '\r';
    const rest = found === -1 ? end : found - (isCrlf ? 1 : 0);
    const stop = blanks ? endWithoutBlanks(text, start, rest) : rest;
    if (characters) foldCharacters(text, { from: start, to: stop, into: form });
    else form.keep(start, stop);
    if (found === stop) form.keep(stop, end);
    else if (found !== -1 || closed) form.add('\n', stop, end);
    start = end;
  }
  if (form.isFull()) return undefined;
  return { ...form.build(), isOpen: closed && text !== '' && !text.endsWith('\n') };
}

interface Builder extends FoldedText {
  build(): Omit<Form, 'isOpen'>;
}

/** Puts a form together; what is kept and adjoins is one stretch. */
function createBuilder(text: string): Builder {
  const origin = createOrigin();
  const pieces: string[] = [];
  let [from, to] = [0, 0];

  function close(): void {
    if (from === to) return;
    pieces.push(text.slice(from, to));
    origin.keep(from, to);
    from = to;
  }

  return {
    keep(start, end) {
      if (start !== to) {
        close();
        from = start;
      }
      to = end;
    },
    add(piece, start, end) {
      close();
      if (piece === '') return;
      pieces.push(piece);
      origin.add(piece.length, start, end);
    },
    isFull: () => origin.size() > mostStretches,
    build() {
      close();
      return { text: pieces.join(''), ...origin.places() };
    },
  };
}

/** Where a part of a text ends when the blanks at its end are left out. */
export function endWithoutBlanks(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && /\s/.test(text.charAt(stop - 1))) stop--;
  return stop;
}

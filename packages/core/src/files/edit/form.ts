import { foldCharacters } from './characters.ts';
import type { FoldedText } from './characters.ts';
import { createOrigin } from './origin.ts';

/** Differences that a form of a text ignores, in addition to line breaks. */
export interface FormRules {
  /** Trailing whitespace. */
  readonly blanks: boolean;
  /** Spelling of characters: quotes, dashes, spaces, ligatures, accents. */
  readonly characters: boolean;
}

/** The form that ignores the most. */
export const loosest: FormRules = { blanks: true, characters: true };

/**
 * A text normalized for comparison, with the origin of each character. Several characters may have the same origin, as
 * `ﬁ` becomes `fi`: such a unit matches as a whole or not at all.
 */
export interface Form {
  readonly text: string;
  /** Start of a character's unit in the original text. */
  startOf(index: number): number;
  /** End of a character's unit in the original text. */
  endOf(index: number): number;
  /** True if a unit begins at this index of the form, or if it is the end of the form. */
  isBoundary(index: number): boolean;
  /** True if the last line break was added to the form. */
  readonly isOpen: boolean;
}

/** Maximum number of stretches in a form. A text that exceeds it is nothing that is edited by quoting it. */
const mostStretches = 2 * 1024 * 1024;

/**
 * Normalizes a text. With `closed`, the last line always ends in a line break, so that whole lines match at the end
 * too. Undefined if more than two million parts of the text differ in the form.
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

/** Builds a form. Adjacent unchanged parts are merged into one stretch. */
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
      return { text: pieces.join(''), ...origin.map() };
    },
  };
}

/** End of a part of a text without its trailing whitespace. */
export function endWithoutBlanks(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && /\s/.test(text.charAt(stop - 1))) stop--;
  return stop;
}

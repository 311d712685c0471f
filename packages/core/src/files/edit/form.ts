import { foldCharacters } from './characters.ts';

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
  /** Where the unit of a character begins in the text itself, and where it ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The last line break is not in the text itself. */
  readonly isOpen: boolean;
}

/** Whether a unit begins at an index of the form; also true at its end. */
export function isBoundary({ starts }: Form, index: number): boolean {
  return index === 0 || index === starts.length || starts[index] !== starts[index - 1];
}

/**
 * The form of a text. With `closed`, the last line ends in a line break whether there is one or not, so that whole lines
 * are found at the end too.
 */
export function toForm(text: string, { blanks, characters }: FormRules, closed = false): Form {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (piece: string, start: number, end: number): void => {
    pieces.push(piece);
    for (let count = 0; count < piece.length; count++) {
      starts.push(start);
      ends.push(end);
    }
  };
  const addContent = (from: number, to: number): void => {
    if (characters) return foldCharacters(text, { from, to, add });
    pieces.push(text.slice(from, to));
    for (let index = from; index < to; index++) {
      starts.push(index);
      ends.push(index + 1);
    }
  };

  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found + 1;
    const isCrlf = found > start && text[found - 1] === '\r';
    const rest = found === -1 ? end : found - (isCrlf ? 1 : 0);
    const stop = blanks ? endWithoutBlanks(text, start, rest) : rest;
    addContent(start, stop);
    if (found !== -1 || closed) add('\n', stop, end);
    start = end;
  }
  return { text: pieces.join(''), starts, ends, isOpen: closed && text !== '' && !text.endsWith('\n') };
}

/** Where a part of a text ends when the blanks at its end are left out. */
export function endWithoutBlanks(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && /\s/.test(text.charAt(stop - 1))) stop--;
  return stop;
}

import { wholeAt } from '../../tool/gap.ts';

/** Which part of a text is read. */
export interface ReadPartOptions {
  /** In characters from the beginning. Default 0. */
  readonly offset?: number;
  /** In characters. Default: as much as `limit` has room for. */
  readonly length?: number;
  /** How long what is given may be in all, so that it is not cut again. */
  readonly limit: number;
}

/** In characters: the most that the lines around a part take. */
const room = 200;

/** A part of a text that was too long to be shown, with where it is in the text and how to go on. */
export function readPart(text: string, { offset = 0, length = Infinity, limit }: ReadPartOptions): string {
  const begin = wholeAt(text, within(offset, text.length));
  if (begin >= text.length) return `There are ${text.length} characters: nothing is at offset ${begin}.`;
  const end = wholeAt(text, Math.min(text.length, begin + Math.max(2, Math.min(within(length, limit), limit - room))));
  const next = end < text.length ? `\n[More follows: go on with offset ${end}.]` : '';
  return `[characters ${begin}–${end} of ${text.length}]\n${text.slice(begin, end)}${next}`;
}

/** A whole number from 0 to `most`, whatever a model says. */
function within(value: number, most: number): number {
  return Math.floor(Math.min(Math.max(0, value || 0), most));
}

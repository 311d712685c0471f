import { wholeAt } from '../../files/edit/indivisible.ts';

/** The part of a text to read. */
export interface ReadPartOptions {
  /** Offset in characters. Default: 0. */
  readonly offset?: number;
  /** Length in characters. Default: as much as fits into `limit`. */
  readonly length?: number;
  /** Maximum length of the output, so that it is not truncated again. */
  readonly limit: number;
}

/** Maximum number of characters in the lines around a part. */
const room = 200;

/** A part of a text that was too long to show, with its position, and instructions for reading on. */
export function readPart(text: string, { offset = 0, length = Infinity, limit }: ReadPartOptions): string {
  const begin = wholeAt(text, within(offset, text.length));
  if (begin >= text.length) return `There are ${text.length} characters: nothing is at offset ${begin}.`;
  const end = wholeAt(text, Math.min(text.length, begin + Math.max(2, Math.min(within(length, limit), limit - room))));
  const next = end < text.length ? `\n[More follows: continue at offset ${end}.]` : '';
  return `[characters ${begin}–${end} of ${text.length}]\n${text.slice(begin, end)}${next}`;
}

/** Clamps a model's value to a whole number from 0 to `most`. */
function within(value: number, most: number): number {
  return Math.floor(Math.min(Math.max(0, value || 0), most));
}

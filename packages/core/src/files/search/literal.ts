/** Bytes of a text, or its UTF-16 code units. */
export type Units = Uint8Array | Uint16Array;

/** A search term with its precomputed tables. */
export interface Literal {
  readonly units: Units;
  /** By low byte of a unit: the distance to shift if it is aligned with the last unit (Horspool). */
  readonly skips: Uint32Array;
  /** By index of a mismatch: the longest prefix that is also a suffix there (Knuth–Morris–Pratt). */
  readonly fallbacks: Uint32Array;
}

/** Prepares a search term of at least one unit. */
export function toLiteral(units: Units): Literal {
  const skips = new Uint32Array(256).fill(units.length);
  for (let index = 0; index < units.length - 1; index++) skips[(units[index] ?? 0) & 255] = units.length - 1 - index;
  const fallbacks = new Uint32Array(units.length + 1);
  for (let index = 1, right = 0; index < units.length; index++) {
    while (right > 0 && units[index] !== units[right]) right = fallbacks[right] ?? 0;
    if (units[index] === units[right]) right++;
    fallbacks[index + 1] = right;
  }
  return { units, skips, fallbacks };
}

/**
 * First occurrence of a search term; -1 if there is none. Starts with Horspool, which skips most units of most texts,
 * and switches to Knuth–Morris–Pratt if it does not pay off, so that time is linear for any input.
 */
export function indexOfLiteral(text: Units, literal: Literal, from = 0): number {
  const { units, skips } = literal;
  const last = units.length - 1;
  let effort = text.length;
  for (let end = from + last; end < text.length; end += skips[(text[end] ?? 0) & 255] ?? 1) {
    let index = last;
    while (index >= 0 && text[end - last + index] === units[index]) index--;
    if (index < 0) return end - last;
    effort -= last - index;
    if (effort < 0) return indexOfHostile(text, literal, end - last);
  }
  return -1;
}

function indexOfHostile(text: Units, { units, fallbacks }: Literal, from: number): number {
  for (let index = from, right = 0; index < text.length; index++) {
    while (right > 0 && text[index] !== units[right]) right = fallbacks[right] ?? 0;
    if (text[index] === units[right]) right++;
    if (right === units.length) return index + 1 - right;
  }
  return -1;
}

/** The UTF-16 code units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/** The bytes of a text, or its UTF-16 units. */
export type Units = Uint8Array | Uint16Array;

/** Units to be found in others, with what there is to know of them. */
export interface Literal {
  readonly units: Units;
  /** By the low byte of a unit: how far the next place is at which it could be, if it is not the last one. */
  readonly skips: Uint32Array;
  /** How many units are right where the one at this index is wrong: the longest beginning that is also an end there. */
  readonly fallbacks: Uint32Array;
}

/** Prepares units, at least one, to be found. */
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
 * Where a literal first begins, -1 where it does not. By Horspool, who looks at few units of most texts; by Knuth, Morris
 * and Pratt, who look at each once, where it turns out that this is not such a text. So time is linear, whatever both are.
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

/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

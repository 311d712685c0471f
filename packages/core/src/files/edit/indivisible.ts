/** Units that an edit never splits: a CRLF, a surrogate pair, the byte order mark before a text. */
export type Indivisible = 'line-break' | 'character' | 'mark';

/** The unit that would be split at an offset of a text. */
export function splitAt(text: string, offset: number): Indivisible | undefined {
  const before = text.charCodeAt(offset - 1);
  const behind = text.charCodeAt(offset);
  if (before === 0x0d && behind === 0x0a) return 'line-break';
  return isHigh(before) && isLow(behind) ? 'character' : undefined;
}

/** True if a text may begin or end in the middle of a unit, wherever it occurs. */
export function hasHalf(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first === 0x0a || last === 0x0d || isLow(first) || isHigh(last);
}

/** The last index not after `index` that does not split a surrogate pair. */
export function wholeAt(text: string, index: number): number {
  return isLow(text.charCodeAt(index)) ? index - 1 : index;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

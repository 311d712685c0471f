/** Consumer of the characters of a text. */
export interface FoldedText {
  /** Takes a part of the text unchanged. */
  keep(from: number, to: number): void;
  /** Takes the replacement for a part of the text. */
  add(folded: string, start: number, end: number): void;
  /** True if it takes no more. */
  isFull(): boolean;
}

/** A part of a text, and the consumer of its characters. */
export interface Folding {
  readonly from: number;
  readonly to: number;
  readonly into: FoldedText;
}

/** A character with its combining marks. Marks after the 30th stand alone, as in Unicode's stream-safe text format. */
const unit = /[^][\p{M}\u1160-\u11ff\uff9e\uff9f]{0,30}/uy;

/**
 * Emits the characters of a part of a text in the form used for comparison: NFKC, with plain quotes, dashes and spaces,
 * and without invisible characters.
 */
export function foldCharacters(text: string, { from, to, into }: Folding): void {
  for (let start = from; start < to && !into.isFull();) {
    const plain = endOfPlain(text, start, to);
    into.keep(start, plain);
    if (plain === to) return;
    const end = endOfUnit(text, plain, to);
    const folded = fold(text.slice(plain, end));
    if (end === plain + 1 && folded === text[plain]) into.keep(plain, end);
    else into.add(folded, plain, end);
    start = end;
  }
}

/** End of the characters that stay unchanged; excludes the last one if the next may combine with it. */
function endOfPlain(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && isPlain(text.charCodeAt(end))) end++;
  return end > start && end < to ? end - 1 : end;
}

/** True if a character always stays unchanged: ASCII, and the letters that make up whole texts. */
function isPlain(unit: number): boolean {
  return unit < 0x80 || plainBlocks.some(([first, last]) => unit >= first && unit <= last);
}

/** Latin, Cyrillic, Hiragana, Katakana, Chinese, Korean. */
const plainBlocks: readonly (readonly [first: number, last: number])[] = [
  [0xc0, 0x131],
  [0x400, 0x482],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
];

function endOfUnit(text: string, start: number, to: number): number {
  unit.lastIndex = start;
  return Math.min(unit.test(text) ? unit.lastIndex : start + 1, to);
}

/** Replacements for characters. They take precedence over NFKC, which would decompose some of them. */
const substitutes: readonly (readonly [written: RegExp, plain: string])[] = [
  [/[\u2018-\u201b\u2032\u00b4]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-'],
  [/\p{Zs}/gu, ' '],
  [/[\u00ad\u200b\u2060\ufeff]/g, ''], // soft hyphen and zero-width spaces
];

function fold(written: string): string {
  const plain = substitutes.reduce((text, [pattern, by]) => text.replace(pattern, by), written);
  return plain.normalize('NFKC');
}

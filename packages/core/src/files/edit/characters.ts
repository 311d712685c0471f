/** Part of a text, and what takes the characters that it gives. */
export interface Folding {
  readonly from: number;
  readonly to: number;
  /** Takes a part of the text as it is. */
  keep(from: number, to: number): void;
  add(folded: string, start: number, end: number): void;
}

/** A character with the marks that belong to it; of more than 30 marks the rest is on its own, as in Unicode's stream-safe texts. */
const unit = /[^][\p{M}\u1160-\u11ff\uff9e\uff9f]{0,30}/uy;

/**
 * Gives the characters of a part of a text as they are compared: in compatibility form (NFKC), with plain quotes, dashes
 * and spaces, and without what nobody sees.
 */
export function foldCharacters(text: string, { from, to, keep, add }: Folding): void {
  for (let start = from; start < to;) {
    const plain = endOfPlain(text, start, to);
    keep(start, plain);
    if (plain === to) return;
    const end = endOfUnit(text, plain, to);
    add(fold(text.slice(plain, end)), plain, end);
    start = end;
  }
}

/** Where the characters end that are ASCII, without the last one if what follows may belong to it. */
function endOfPlain(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && text.charCodeAt(end) < 0x80) end++;
  return end > start && end < to ? end - 1 : end;
}

function endOfUnit(text: string, start: number, to: number): number {
  unit.lastIndex = start;
  return Math.min(unit.test(text) ? unit.lastIndex : start + 1, to);
}

/** What characters are written for others; in front of the compatibility form, which would take some of them apart. */
const substitutes: readonly (readonly [written: RegExp, plain: string])[] = [
  [/[\u2018-\u201b\u2032\u00b4]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-'],
  [/\p{Zs}/gu, ' '],
  [/[\u00ad\u200b\u2060\ufeff]/g, ''], // soft hyphen, and spaces without a width
];

function fold(written: string): string {
  const plain = substitutes.reduce((text, [pattern, by]) => text.replace(pattern, by), written);
  return plain.normalize('NFKC');
}

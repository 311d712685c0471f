/** A sentence that says how to read what is left out; `other`: that text is not what was shown, but the output that it was made of. */
export type ReadBack = string | { readonly other: string };

/** Of a text that is too long: where what is missing begins and ends. */
export function gapIn(length: number, limit: number): readonly [from: number, to: number] {
  return [Math.ceil(limit * 0.7), length - Math.floor(limit * 0.3)];
}

/** Note in place of the missing characters. */
export function gapText(missing: number, length: number, advice = ': ask for less at a time, or for a part'): string {
  return `[… ${missing} of ${length} characters left out here${advice} …]`;
}

/** The nearest place, not after `index`, that does not split a surrogate pair. */
export function wholeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

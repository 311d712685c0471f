/** Some lines of a text, and the total number of lines. */
export interface Lines {
  /** Without their line breaks. */
  readonly lines: readonly string[];
  readonly total: number;
}

/** Lines of a text between two line numbers, inclusive and from 1. */
export function linesBetween(text: string, first: number, last: number): Lines {
  const lines: string[] = [];
  let total = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    total++;
    if (total >= first && total <= last) lines.push(text.slice(start, end).replace(/\r$/, ''));
    start = end + 1;
  }
  return { lines, total };
}

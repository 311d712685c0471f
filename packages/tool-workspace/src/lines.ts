/** Some lines of a text, and how many it has. */
export interface Lines {
  /** Without their line breaks. */
  readonly lines: readonly string[];
  readonly total: number;
}

/** The lines of a text from one to another, both included and from 1; the others are only counted. */
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

/** Part of a note: a section, or a fixed number of lines. */
export interface Chunk {
  /** Headings above it, outermost first; empty at the beginning. */
  readonly headings: readonly string[];
  /** From 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

const heading = /^(#{1,6})\s/;
const fence = /^\s*(?:```|~~~)/;

/** Headings that each line is below, or starts. */
function headingsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const path: { readonly level: number; readonly text: string }[] = [];
  let isCode = false;
  return lines.map((line) => {
    if (fence.test(line)) isCode = !isCode;
    const [, marks] = isCode ? [] : (heading.exec(line) ?? []);
    if (marks !== undefined) {
      while ((path.at(-1)?.level ?? 0) >= marks.length) path.pop();
      path.push({ level: marks.length, text: headingText(line.slice(marks.length)) });
    }
    return path.map((each) => each.text);
  });
}

/** Text of a heading without blanks and closing marks. */
function headingText(line: string): string {
  const text = line.trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
}

/** Splits a note into parts with a fixed number of lines. */
export function chunksOf(text: string, size: number): readonly Chunk[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const chunks: Chunk[] = [];
  for (let start = 0; start < lines.length; start += size) {
    chunks.push({ headings: headings[start] ?? [], first: start + 1, lines: lines.slice(start, start + size) });
  }
  return chunks;
}

/** Splits a note at its headings, into sections of limited length. */
export function sectionsOf(text: string, size: number): readonly Chunk[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const chunks: Chunk[] = [];
  for (let start = 0, end = 1; start < lines.length; start = end, end++) {
    while (end < lines.length && end - start < size && headings[end] === headings[start]) end++;
    while (end < lines.length && end - start < size && same(headings[end], headings[start])) end++;
    chunks.push({ headings: headings[start] ?? [], first: start + 1, lines: lines.slice(start, end) });
  }
  return chunks;
}

function same(left: readonly string[] = [], right: readonly string[] = []): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

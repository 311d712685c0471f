// What the lexer takes at most. Beyond that its time grows with the square of a text, and its depth with the nesting.

export const mostCharacters = 50_000;
const mostMarks = 1_000;
const deepestMarks = 12;
const deepestIndent = 80;
const longestWord = 2_000;
const mostCells = 10_000;

/** Whether the lexer reads a text in little time. What it would not is shown as it is written. */
export function isTame(text: string): boolean {
  if (text.length > mostCharacters) return false;
  if (count(text, /[*_~]+/g) > mostMarks || count(text, /[[\]<`]/g) > 2 * mostMarks) return false;
  const lines = text.split('\n');
  return lines.every(isTameLine) && cellsIn(lines) <= mostCells;
}

/** Cells of tables, at most: every row gets as many as the head has, also those that are not written. */
function cellsIn(lines: readonly string[]): number {
  let columns = 0;
  let cells = 0;
  for (const line of lines) {
    if (line.trim() === '') columns = 0;
    cells += columns;
    if (/^[\s>|:*+\d.)-]*$/.test(line) && line.includes('-')) columns = Math.max(columns, count(line, /\|/g) + 1);
  }
  return cells;
}

function isTameLine(line: string): boolean {
  return line.search(/\S|$/) <= deepestIndent && marksBefore(line) <= deepestMarks && isTameWords(line);
}

/** Long words are searched for addresses from each of their characters. */
function isTameWords(line: string): boolean {
  if (line.length <= longestWord) return true;
  return line.split(/\s+/).every((word) => word.length <= longestWord);
}

/** How many marks of quotes and lists stand before the words of a line. */
function marksBefore(line: string): number {
  const mark = /\s*(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))/y;
  let marks = 0;
  while (marks <= deepestMarks && mark.test(line)) marks++;
  return marks;
}

function count(text: string, of: RegExp): number {
  return text.match(of)?.length ?? 0;
}

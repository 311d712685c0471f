// Limits for the lexer. Beyond them its time grows quadratically, and its recursion with the nesting.

export const mostCharacters = 50_000;
const mostMarks = 1_000;
const deepestMarks = 12;
const deepestIndent = 80;
const longestWord = 2_000;
const mostCells = 10_000;

/** True if the lexer handles a text quickly. Other texts are shown verbatim. */
export function isTame(text: string): boolean {
  if (text.length > mostCharacters) return false;
  if (count(text, /[*_~]+/g) > mostMarks || count(text, /[[\]<`]/g) > 2 * mostMarks) return false;
  const lines = text.split('\n');
  return lines.every(isTameLine) && cellsIn(lines) <= mostCells;
}

/** Upper bound of table cells: each row gets as many as the header, written or not. */
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

/** The lexer searches long words for URLs at each character. */
function isTameWords(line: string): boolean {
  if (line.length <= longestWord) return true;
  return line.split(/\s+/).every((word) => word.length <= longestWord);
}

/** Number of quote and list markers at the start of a line. */
function marksBefore(line: string): number {
  const mark = /\s*(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))/y;
  let marks = 0;
  while (marks <= deepestMarks && mark.test(line)) marks++;
  return marks;
}

function count(text: string, of: RegExp): number {
  return text.match(of)?.length ?? 0;
}

/** Facts computed from the cells of a table. */
export interface TableFacts {
  readonly rows: number;
  /** Columns that contain only numbers. */
  readonly numbers: readonly ColumnFacts[];
}

export interface ColumnFacts {
  readonly name: string;
  readonly total: number;
  readonly least: number;
  readonly most: number;
}

/** Counts and sums a CSV table, whose first row names the columns. */
export function tableFacts(lines: readonly string[]): TableFacts {
  const [names = [], ...rows] = cellsOf(lines.join('\n')).filter((cells) => cells.some((cell) => cell !== ''));
  const filled: string[][] = names.map(() => []); // collected row by row: a wide table may have many short rows
  for (const cells of rows) for (const [at, cell] of cells.entries()) if (cell !== '') filled[at]?.push(cell);
  const columns = names.map((name, at) => columnFacts(name, filled[at] ?? []));
  return { rows: rows.length, numbers: columns.filter((column) => column !== undefined) };
}

function columnFacts(name: string, cells: readonly string[]): ColumnFacts | undefined {
  const numbers = cells.map(Number);
  if (numbers.length === 0 || !numbers.every(Number.isFinite)) return undefined;
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const [least, most] = numbers.reduce(
    ([low, high], next) => [Math.min(low, next), Math.max(high, next)],
    [Infinity, -Infinity],
  );
  return { name, total: rounded(total), least, most };
}

/** Rounds away floating-point errors of sums. */
function rounded(number: number): number {
  return Number(number.toPrecision(12));
}

/** Rows of trimmed cells. Quoted cells may contain commas, line breaks and doubled quotes. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/[ \t]*(?:"((?:[^"]|"")*)")?([^,\n]*)(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"') + plain.trim());
    if (end === '\n') rows.push([]);
    if (end === '') break;
  }
  return rows;
}

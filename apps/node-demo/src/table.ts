import { fit } from './plain.ts';

/** A row: what it is about, and what is said of it. */
export type Row = readonly [head: string, text: string];

/** Rows in two columns; where that leaves the second one too little, below one another. */
export function tableLines(rows: readonly Row[], columns: number): readonly string[] {
  const width = Math.max(...rows.map(([head]) => head.length)) + 2;
  if (rows.every(([, text]) => width + Math.min(text.length, leastWidth) <= columns))
    return rows.map(([head, text]) => fit(`${head.padEnd(width)}${text}`.trimEnd(), columns));
  return rows.flatMap(([head, text]) => [
    fit(head, columns),
    ...(text === '' ? [] : [fit(`${' '.repeat(indentOf(head) + 4)}${text}`, columns)]),
  ]);
}

/** Characters of the second column that must be seen. */
const leastWidth = 36;

function indentOf(text: string): number {
  return text.search(/\S|$/);
}

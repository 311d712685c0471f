import { fit } from './plain.ts';

/** A row: subject and description. */
export type Row = readonly [head: string, text: string];

/** Formats rows in two columns, or one below the other if the second column would be too narrow. */
export function tableLines(rows: readonly Row[], columns: number): readonly string[] {
  const width = Math.max(...rows.map(([head]) => head.length)) + 2;
  if (rows.every(([, text]) => width + Math.min(text.length, leastWidth) <= columns))
    return rows.map(([head, text]) => fit(`${head.padEnd(width)}${text}`.trimEnd(), columns));
  return rows.flatMap(([head, text]) => [
    fit(head, columns),
    ...(text === '' ? [] : [fit(`${' '.repeat(indentOf(head) + 4)}${text}`, columns)]),
  ]);
}

/** Minimum width of the second column. */
const leastWidth = 36;

function indentOf(text: string): number {
  return text.search(/\S|$/);
}

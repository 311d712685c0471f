/** Formats rows as an aligned Markdown table; the first row is its header. Numeric columns are right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = head.map((_, column) => !body.some((row) => /^-?\d[\d.]*$/.test(row[column] ?? '')));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isText[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (isText[column] ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

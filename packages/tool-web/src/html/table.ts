import type { Measures } from './measure.ts';
import type { Element } from './tree.ts';

interface TableOptions {
  readonly measures: Measures;
  /** Renders a cell on one line. */
  cell(element: Element): string;
}

const mostColumns = 30;

/** A table as Markdown lines; undefined for layout tables and tables that Markdown cannot represent. */
export function tableLines(table: Element, { measures, cell }: TableOptions): readonly string[] | undefined {
  const rows = rowsOf(table);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const cells = rows.flat();
  const isPlain = cells.every((each) => !measures.of(each).hasBlocks);
  const isAll = cells.reduce((sum, each) => sum + measures.of(each).text, 0) === measures.of(table).text;
  if (!isPlain || !isAll || rows.length < 2 || columns < 2 || columns > mostColumns) return undefined;
  const lines = rows.map((row) => {
    const texts = row.map((each) => cell(each).replaceAll('|', '\\|'));
    const missing = Array.from({ length: columns - texts.length }, () => '');
    return `| ${[...texts, ...missing].join(' | ')} |`;
  });
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(columns)}`);
}

const groups: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot']);

function rowsOf(table: Element): readonly (readonly Element[])[] {
  return table.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (groups.has(child.name)) return rowsOf(child);
    return child.name === 'tr' ? [cellsOf(child)] : [];
  });
}

function cellsOf(row: Element): readonly Element[] {
  return row.children.filter(
    (child) => typeof child !== 'string' && (child.name === 'td' || child.name === 'th'),
  ) as Element[];
}

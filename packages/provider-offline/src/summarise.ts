import type { JsonObject } from '@utensil/core';
import type { AnsweredCall } from './answered-call.ts';
import { codeSpan } from './fenced.ts';
import { tableFacts } from './table.ts';
import type { ColumnFacts } from './table.ts';
import { viewedFile, viewedPaths } from './viewed.ts';

const ending = '.csv';

/** Maximum number of tables to read; the others are only named. */
const mostTables = 20;

/** True for the path of a table, false for a directory. */
export function isTable(path: string): boolean {
  return path.toLowerCase().endsWith(ending);
}

/** Reads for the tables in a directory listing. */
export function inputsAfter(listing: string): readonly JsonObject[] {
  return viewedPaths(listing, ending)
    .slice(0, mostTables)
    .map((path) => ({ command: 'view', path }));
}

/** Summary of the tables read. */
export function summarised(answered: readonly AnsweredCall[]): string {
  const tables = answered.filter(({ input }) => isTable(String(input['path'])));
  const listing = answered.find((call) => !tables.includes(call));
  if (tables.length === 0) return `There is no ${ending} file.`;
  const left = viewedPaths(listing?.text ?? '', ending).length - tables.length;
  return [
    ...tables.map(({ input, text }) => `- ${codeSpan(String(input['path']))}: ${factsText(text)}`),
    ...(left > 0 ? [`- ${left} more were not read.`] : []),
    '',
    'I only counted and added: a language model could tell you what it means.',
  ].join('\n');
}

function factsText(text: string): string {
  const { lines, isWhole } = viewedFile(text);
  const { rows, numbers: columns } = tableFacts(lines);
  const count = rows === 1 ? '1 row' : `${rows} rows`;
  const first = isWhole ? count : `the first ${count}, because the rest was not shown to me`;
  return [first, ...columns.map(columnText)].join('; ');
}

const numbers = /* @__PURE__ */ new Intl.NumberFormat('en', { maximumFractionDigits: 12 });

function columnText({ name, total, least, most }: ColumnFacts): string {
  const [sum, low, high] = [total, least, most].map((number) => numbers.format(number));
  return `${codeSpan(name)} ${sum} in total, from ${low} to ${high}`;
}

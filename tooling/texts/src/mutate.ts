// Changes one character of each text, in memory, and looks whether the table notices.

import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './table.ts';

/** Texts that can be changed, the rows that show them, and how to run one. */
export interface Subject<Row extends LiteralRow> {
  readonly name: string;
  readonly texts: Record<string, string>;
  readonly rows: readonly Row[];
  run(row: Row): Promise<Outcome>;
}

interface LiteralRow {
  readonly id: string | null;
  readonly literal: string;
  readonly title: string;
}

export interface Mutation {
  readonly literals: number;
  readonly caught: number;
  readonly problems: readonly string[];
}

/** Whether each text has a row that passes, and fails when a character of the text is another one. */
export async function mutateTexts<Row extends LiteralRow>(subject: Subject<Row>): Promise<Mutation> {
  const { name, texts, rows } = subject;
  const problems = rows
    .filter(({ literal }) => !(literal in texts))
    .map(({ literal, title }) => `${name}: "${title}" is a row of ${literal}, and there is no such text`);
  let caught = 0;
  for (const literal of Object.keys(texts)) {
    const problem = await problemOf(subject, literal);
    if (problem === undefined) caught++;
    else problems.push(`${name}: ${literal} ${problem}`);
  }
  return { literals: Object.keys(texts).length, caught, problems };
}

async function problemOf<Row extends LiteralRow>(subject: Subject<Row>, literal: string): Promise<string | undefined> {
  const rows = subject.rows.filter((row) => row.literal === literal);
  if (rows.length === 0) return 'has no row in the fixture';
  for (const row of rows) if (!(await passes(subject, row))) return `has a row that fails as it is: "${row.title}"`;
  const text = subject.texts[literal] ?? '';
  try {
    for (const position of positionsOf(text)) {
      subject.texts[literal] = changed(text, position);
      if (await passAll(subject, rows)) return `can be ${JSON.stringify(subject.texts[literal])}, and no row notices`;
    }
    return undefined;
  } finally {
    subject.texts[literal] = text;
  }
}

async function passAll<Row extends LiteralRow>(subject: Subject<Row>, rows: readonly Row[]): Promise<boolean> {
  for (const row of rows) if (!(await passes(subject, row))) return false;
  return true;
}

async function passes<Row extends LiteralRow>({ run }: Subject<Row>, row: Row): Promise<boolean> {
  const { actual, expected } = await run(row);
  return isDeepStrictEqual(actual, expected);
}

/** Where a character is that is not part of a name in braces. */
function positionsOf(text: string): readonly number[] {
  const literal = text.replaceAll(/\{\w+\}/g, (name) => '\0'.repeat(name.length));
  return literal.split('').flatMap((character, index) => (character === '\0' ? [] : [index]));
}

function changed(text: string, position: number): string {
  const other = text[position] === 'x' ? 'y' : 'x';
  return text.slice(0, position) + other + text.slice(position + 1);
}

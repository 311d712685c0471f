// The page that says what is proven: a table for each system, made from its rows and the tests that name them.

import { basename } from 'node:path';
import type { Evidence } from './evidence.ts';
import type { Row, Rows, System } from './row.ts';

const intro = `# Parity

Five tool systems came before Utensil, here called system 0 to system 4. Everything that they do is a row, and Utensil
is to do it at least as well: \`S\` rows are capabilities, \`A\` rows acceptance checks, and \`D\` rows defects that
shipped in them and must not be here. A row is proven while tests that name its id pass. \`npm run parity\` writes this
page from the report of the tests; \`npm run check\` fails where it is not what they prove.
`;

export type Status = 'proven' | 'open' | 'out of scope';

/** Proven: at least one test that names it passed, and none failed. */
export function statusOf(id: string, row: Row, evidence: readonly Evidence[]): Status {
  if (typeof row !== 'string') return 'out of scope';
  const tests = evidence.filter((test) => test.id === id);
  return tests.length > 0 && tests.every(({ passed }) => passed) ? 'proven' : 'open';
}

export function renderPage(systems: readonly System[], evidence: readonly Evidence[]): string {
  return [intro, renderCounts(systems, evidence), ...systems.map((system) => renderSystem(system, evidence))].join(
    '\n',
  );
}

/** The ids that a page shows as proven. */
export function provenIds(page: string): string[] {
  return [...page.matchAll(/^\| ([SAD]\d-\d\d) \| .* \| proven: /gm)].map(([, id = '']) => id);
}

function renderCounts(systems: readonly System[], evidence: readonly Evidence[]): string {
  const count = (rows: Rows): string => {
    const statuses = Object.entries(rows).map(([id, row]) => statusOf(id, row, evidence));
    const of = (status: Status): number => statuses.filter((each) => each === status).length;
    return `${of('proven')} | ${of('open')} | ${of('out of scope')} | ${statuses.length} |`;
  };
  const all: Rows = Object.assign({}, ...systems.map(({ rows }) => rows));
  return [
    '|     | proven | open | out of scope | rows |',
    '| --- | --- | --- | --- | --- |',
    ...systems.map(({ name, rows }) => `| ${name} | ${count(rows)}`),
    `| All | ${count(all)}`,
    '',
  ].join('\n');
}

function renderSystem({ name, about, rows }: System, evidence: readonly Evidence[]): string {
  return [
    `## ${name}\n\n${about}\n`,
    '| id | what | status |',
    '| --- | --- | --- |',
    ...Object.entries(rows).map(([id, row]) => renderRow(id, row, evidence)),
    '',
  ].join('\n');
}

function renderRow(id: string, row: Row, evidence: readonly Evidence[]): string {
  if (typeof row !== 'string') return `| ${id} | ${row.title} | out of scope: ${row.outOfScope} |`;
  if (statusOf(id, row, evidence) === 'open') return `| ${id} | ${row} | open |`;
  const links = [...new Set(evidence.filter((test) => test.id === id).map(linkTo))];
  const more = links.length > 3 ? ` and ${links.length - 3} more` : '';
  return `| ${id} | ${row} | proven: ${links.slice(0, 3).join(', ')}${more} |`;
}

function linkTo({ file, title }: Evidence): string {
  const characters = [...title];
  const words = characters.length > 100 ? `${characters.slice(0, 99).join('')}…` : title;
  return `[${basename(file)} › ${words.replace(/[\\`*_[\]<>|]/g, '\\$&')}](../${file})`;
}

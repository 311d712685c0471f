// The parity page: counts, rows without proof, ids of proven rows.

import type { Evidence } from './evidence.ts';
import type { Row, Rows, System } from './row.ts';

const intro = `# Parity

Utensil covers the capabilities of five earlier tool systems. \`rows/\` lists them: \`S\` rows are capabilities, \`A\` rows
acceptance checks, \`D\` rows defects that must not recur. A row is proven if every test that cites its id passes:
\`git grep -F "[S0-34]"\` finds these tests. \`npm run parity\` writes this page from the report of the last complete test run, and
the check \`parity\` compares them.
`;

export type Status = 'proven' | 'open' | 'out of scope';

/** Proven if at least one test cites the row and all of them passed. */
export function statusOf(id: string, row: Row, evidence: readonly Evidence[]): Status {
  if (typeof row !== 'string') return 'out of scope';
  const tests = evidence.filter((test) => test.id === id);
  return tests.length > 0 && tests.every(({ passed }) => passed) ? 'proven' : 'open';
}

export function renderPage(systems: readonly System[], evidence: readonly Evidence[]): string {
  return [
    intro,
    renderCounts(systems, evidence),
    renderUnproven(systems, evidence),
    renderProven(systems, evidence),
  ].join('\n');
}

/** Ids that a page lists as proven. */
export function provenIds(page: string): string[] {
  return [...page.matchAll(/^- .+: ((?:[SAD]\d-\d\d ?)+)$/gm)].flatMap(([, ids = '']) => ids.trim().split(' '));
}

function renderCounts(systems: readonly System[], evidence: readonly Evidence[]): string {
  const count = (rows: Rows): string => {
    const statuses = Object.entries(rows).map(([id, row]) => statusOf(id, row, evidence));
    const of = (status: Status): number => statuses.filter((each) => each === status).length;
    return `${of('proven')} | ${of('open')} | ${of('out of scope')} | ${statuses.length} |`;
  };
  const all: Rows = Object.assign({}, ...systems.map(({ rows }) => rows));
  return [
    '| System | About | proven | open | out of scope | rows |',
    '| --- | --- | --- | --- | --- | --- |',
    ...systems.map(({ name, about, rows }) => `| ${name} | ${about} | ${count(rows)}`),
    `| All | | ${count(all)}`,
    '',
  ].join('\n');
}

function renderUnproven(systems: readonly System[], evidence: readonly Evidence[]): string {
  const rows = systems.flatMap((system) => Object.entries(system.rows));
  const unproven = rows.filter(([id, row]) => statusOf(id, row, evidence) !== 'proven');
  return [
    '## Not proven\n',
    '| Id | Capability | Status |',
    '| --- | --- | --- |',
    ...unproven.map(([id, row]) =>
      typeof row === 'string'
        ? `| ${id} | ${row} | open |`
        : `| ${id} | ${row.title} | out of scope: ${row.outOfScope} |`,
    ),
    '',
  ].join('\n');
}

function renderProven(systems: readonly System[], evidence: readonly Evidence[]): string {
  const lists = systems.map(({ name, rows }) => {
    const ids = Object.keys(rows).filter((id) => statusOf(id, rows[id] ?? '', evidence) === 'proven');
    return `- ${name}: ${ids.join(' ')}`;
  });
  return ['## Proven\n', ...lists, ''].join('\n');
}

import { difference } from '../checks/difference.ts';
import type { Evidence } from './evidence.ts';
import { provenIds, statusOf } from './page.ts';
import type { Rows, System } from './row.ts';

/** Wrong citations: unknown rows, and proven rows that are out of scope. */
export function citationProblems(systems: readonly System[], evidence: readonly Evidence[]): string[] {
  const rows: Rows = Object.assign({}, ...systems.map((system) => system.rows));
  return evidence.flatMap(({ id, file, title, passed }) => {
    const row = rows[id];
    if (row === undefined) return [`${file} › ${title}: [${id}] is no row: write one id, as in tooling/parity/rows`];
    if (typeof row !== 'string' && passed) return [`${file} › ${title}: ${id} is out of scope, and yet proven`];
    return [];
  });
}

/** Differences between `page` and `wanted`. Rows that lost their proof come first. */
export function pageProblems(
  page: string,
  wanted: string,
  { systems, evidence }: { readonly systems: readonly System[]; readonly evidence: readonly Evidence[] },
): string[] {
  if (page === wanted) return [];
  const rows: Rows = Object.assign({}, ...systems.map((system) => system.rows));
  const lost = provenIds(page).filter((id) => statusOf(id, rows[id] ?? '', evidence) !== 'proven');
  const shown = difference(page.split('\n'), wanted.split('\n'));
  return [
    ...lost.map((id) => `${id} was proven, and is not any more: ${whyNot(id, evidence)}`),
    'tooling/parity/README.md is not what the tests prove. If that is meant: npm run parity',
    ...shown.slice(0, 20),
    ...(shown.length > 20 ? [`and ${shown.length - 20} more lines`] : []),
  ];
}

function whyNot(id: string, evidence: readonly Evidence[]): string {
  const failed = evidence.find((test) => test.id === id && !test.passed);
  return failed === undefined ? 'no test names it' : `${failed.file} › ${failed.title} failed`;
}

import { difference } from '../checks/difference.ts';
import type { Api } from './apis.ts';
import type { Feature } from './features.ts';
import type { Results } from './results.ts';

interface Table {
  readonly apis: readonly Api[];
  readonly features: readonly Feature[];
  readonly results: readonly Results[];
}

/** Problems in the tables and the cited tests, independent of the page. */
export function tableProblems({ apis, features, results }: Table): readonly string[] {
  const named = features.flatMap(({ titles }) => titles);
  const known = new Set(results.flatMap((each) => [...each.keys()]));
  const unknown = named.filter((title) => !known.has(title));
  const unnamed = [...known].filter((title) => !named.includes(title));
  return [
    ...unknown.map((title) => `'${title}' is no test of any api: mend tooling/models/features.ts`),
    ...unnamed.map((title) => `'${title}' stands in no row: add it to tooling/models/features.ts`),
    ...named.filter((title, index) => named.indexOf(title) !== index).map((title) => `'${title}' stands in two rows`),
    ...apis.flatMap(({ id }, index) => resultProblems(id, results[index] ?? new Map(), [...known])),
  ];
}

function resultProblems(id: string, results: Results, known: readonly string[]): readonly string[] {
  if (results.size === 0) return [`${id}: none of its tests ran, see tooling/models/apis.ts`];
  return known.flatMap((title) => {
    const result = results.get(title);
    if (result === undefined) return [`${id}: '${title}' did not run, and no reason is given`];
    return result === 'failed' ? [`${id}: '${title}' failed`] : [];
  });
}

/** Difference between `page` and its expected content. */
export function pageProblems(page: string, wanted: string): readonly string[] {
  if (page === wanted) return [];
  const shown = difference(page.split('\n'), wanted.split('\n'));
  return [
    'docs/models.md is not what the tests prove. If that is meant: npm run models',
    ...shown.slice(0, 20),
    ...(shown.length > 20 ? [`and ${shown.length - 20} more lines`] : []),
  ];
}

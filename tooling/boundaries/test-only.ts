// Shipped sources that only tests reach: they belong in `src/test-kit`, which is not published.

import { sourceCondition } from '../workspace/manifest.ts';
import type { Member } from '../workspace/members.ts';
import type { Edge } from './cycles.ts';
import type { Source } from './sources.ts';

/** Files that only their tests import, with the reasons why they stay. */
const shown: Readonly<Record<string, string>> = {
  'apps/examples/src/acme.ts': 'An example of a provider, which docs/write-a-model.md shows.',
  'apps/examples/src/shared-text.ts': 'An example of a storage, which docs/write-a-storage.md shows.',
};

/**
 * Sources of packages and apps that are reachable neither from an entry of a manifest nor from a program, which is a
 * file without importers such as `main.ts`. Files that tests do not reach either are left to knip.
 */
export function findTestOnly(sources: readonly Source[], graph: ReadonlyMap<string, readonly Edge[]>): Source[] {
  const shipped = sources.filter(({ path, isTest }) => !isTest && /^(?:packages|apps)\//.test(path));
  const imported = new Set([...graph.values()].flat().map(({ to }) => to));
  const entries = sources.flatMap(({ member }) => entriesOf(member));
  const programs = shipped.map(({ path }) => path).filter((path) => !imported.has(path) || path in shown);
  const reached = reachable(graph, [...entries, ...programs]);
  const tests = sources.filter(({ isTest }) => isTest).map(({ path }) => path);
  const tested = reachable(graph, tests);
  return shipped.filter(({ path }) => tested.has(path) && !reached.has(path));
}

function entriesOf({ folder, manifest }: Member): string[] {
  return Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target[sourceCondition];
    return source === undefined ? [] : [source.replace(/^\./, folder)];
  });
}

function reachable(graph: ReadonlyMap<string, readonly Edge[]>, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set(starts);
  for (const file of reached) for (const { to } of graph.get(file) ?? []) reached.add(to);
  return reached;
}

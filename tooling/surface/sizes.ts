import { bundle, type Bundle, readEntries } from './bundle.ts';
import type { Ceiling, forbidden } from './ceilings.ts';

export type Size = Pick<Bundle, 'eager' | 'lazy'>;

interface Limits {
  readonly ceilings: Readonly<Record<string, Ceiling>>;
  readonly forbidden: typeof forbidden;
}

const isOfCore = (name: string): boolean => /^@utensil\/core(\/(?!testing)|$)/.test(name);

/** Measures everything with a ceiling. `problems` lists what is too large, has no ceiling, or must not be included. */
export async function weigh(root: string, { ceilings, forbidden }: Limits) {
  const entries = readEntries(root);
  const problems = entries.flatMap(({ name }) => (name in ceilings ? [] : [`${name}: it has no ceiling`]));
  const sizes: Record<string, Size> = {};
  for (const [name, ceiling] of Object.entries(ceilings)) {
    const { dependencies, peers = [] } = entries.find((entry) => entry.name === (ceiling.of ?? name)) ?? {};
    const bundled = await bundle(ceiling.imports ?? `export * from '${name}';`, { root, entries, peers });
    sizes[name] = { eager: bundled.eager, lazy: bundled.lazy };
    const found = [
      ...overCeiling(bundled, ceiling),
      ...(dependencies === undefined ? [] : undeclared(bundled, [...dependencies, ...(ceiling.brings ?? [])])),
      ...(isOfCore(name) ? findForbidden(bundled, forbidden) : []),
    ];
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  return { sizes, problems };
}

function overCeiling({ eager, lazy, names }: Bundle, ceiling: Ceiling): string[] {
  const problems: string[] = [];
  if (names > (ceiling.names ?? Infinity)) problems.push(`${names} names, over its ceiling of ${ceiling.names}`);
  if (eager > ceiling.eager) problems.push(`${eager} bytes, over its ceiling of ${ceiling.eager}`);
  if (lazy > (ceiling.lazy ?? 0)) problems.push(`${lazy} bytes later, over its ceiling of ${ceiling.lazy ?? 0}`);
  if (ceiling.eager > (ceiling.limit ?? Infinity))
    problems.push(`its ceiling of ${ceiling.eager} is over its limit of ${ceiling.limit}`);
  return problems;
}

/** Indirect dependencies. */
function undeclared({ others }: Bundle, dependencies: readonly string[]): string[] {
  return others.filter((name) => !dependencies.includes(name)).map((name) => `it brings along ${name}, undeclared`);
}

function findForbidden({ code }: Bundle, patterns: Limits['forbidden']): string[] {
  return patterns.flatMap(([pattern, why]) => {
    const { index } = pattern.exec(code) ?? {};
    return index === undefined ? [] : [`${pattern} in "…${code.slice(Math.max(0, index - 30), index + 30)}…": ${why}`];
  });
}

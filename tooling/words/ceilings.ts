// The hits that are left, by kind and part of the repository. The numbers may only fall.

import type { Hit } from './find.ts';
import type { Kind } from './tics.ts';

export type Ceilings = Readonly<Record<Kind, Readonly<Record<string, number>>>>;

/** The part of the repository that a path counts for: `packages/core`, `docs/decisions`, `tooling`, `.`. */
export function partOf(path: string): string {
  return /^(?:(?:packages|apps)\/[^/]+|docs\/decisions|docs|tooling|\.changeset)(?=\/)/.exec(path)?.[0] ?? '.';
}

export function countHits(hits: readonly Hit[]): Ceilings {
  const counts: Record<Kind, Record<string, number>> = { comments: {}, documents: {}, texts: {} };
  for (const { kind, path } of hits) {
    const part = partOf(path);
    counts[kind][part] = (counts[kind][part] ?? 0) + 1;
  }
  return counts;
}

/** Parts with more hits than their ceiling. A part without one has none left. */
export function exceeded(
  counts: Ceilings,
  ceilings: Ceilings,
): readonly { kind: Kind; part: string; problem: string }[] {
  return kindsOf(counts).flatMap((kind) =>
    Object.entries(counts[kind]).flatMap(([part, count]) => {
      const ceiling = ceilings[kind][part] ?? 0;
      const problem = `${part} has ${count} tics in its ${kind}, and ${ceiling} at most: npm run words -- --print ${part}`;
      return count > ceiling ? [{ kind, part, problem }] : [];
    }),
  );
}

/** Ceilings lowered to the counts. None rises, and parts without hits have none. */
export function lowered(counts: Ceilings, ceilings: Ceilings): Ceilings {
  const lower = (kind: Kind): Record<string, number> => {
    const entries = Object.entries(ceilings[kind]).map(
      ([part, ceiling]) => [part, Math.min(ceiling, counts[kind][part] ?? 0)] as const,
    );
    return Object.fromEntries(
      entries.filter(([, count]) => count > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  };
  return { comments: lower('comments'), documents: lower('documents'), texts: lower('texts') };
}

function kindsOf(counts: Ceilings): readonly Kind[] {
  return Object.keys(counts) as readonly Kind[];
}

export interface Edge {
  readonly to: string;
  readonly line: number;
}

export interface Cycle {
  /** Files of the cycle, with the first repeated at the end. */
  readonly path: readonly string[];
  /** Line of the import that closes it, in the last file but one. */
  readonly line: number;
}

/** Finds one cycle per closing import, walking from each file in order. */
export function findCycles(graph: ReadonlyMap<string, readonly Edge[]>): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const here = [...path, file];
    for (const { to, line } of graph.get(file) ?? []) {
      if (here.includes(to)) cycles.push({ path: [...here.slice(here.indexOf(to)), to], line });
      else if (!done.has(to)) walk(to, here);
    }
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) walk(file, []);
  return cycles;
}

import type { Tool } from './tool.ts';

const known = new WeakMap<readonly Tool[], ReadonlyMap<string, string>>();

/**
 * The present names of tools by their former ones. A name that a tool has now is no former name; of two tools with the same
 * former name, the first has it.
 */
export function formerNames(tools: readonly Tool[]): ReadonlyMap<string, string> {
  const before = known.get(tools); // a registry gives the same array until something changes
  if (before !== undefined) return before;
  const current = new Set(tools.map(({ name }) => name));
  const former = new Map<string, string>();
  for (const { name, formerNames: earlier = [] } of tools)
    for (const each of earlier) if (!current.has(each) && !former.has(each)) former.set(each, name);
  known.set(tools, former);
  return former;
}

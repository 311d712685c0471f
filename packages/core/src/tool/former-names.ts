import type { Tool } from './tool.ts';

const known = new WeakMap<readonly Tool[], ReadonlyMap<string, string>>();

/**
 * Maps former names of tools to current ones. A current name is never a former one; if two tools share a former name,
 * the first wins.
 */
export function formerNames(tools: readonly Tool[]): ReadonlyMap<string, string> {
  const before = known.get(tools); // a registry returns the same array until something changes
  if (before !== undefined) return before;
  const current = new Set(tools.map(({ name }) => name));
  const former = new Map<string, string>();
  for (const { name, formerNames: earlier = [] } of tools)
    for (const each of earlier) if (!current.has(each) && !former.has(each)) former.set(each, name);
  known.set(tools, former);
  return former;
}

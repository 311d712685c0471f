import { permissions } from '@utensil/core';
import type { Toolset } from '@utensil/core';
import { guard, isGuarded } from '@utensil/core/guard';
import { askClient } from './asking.ts';
import type { McpCaller, McpServerOptions, ServedTools } from './options.ts';

/** Maximum number of guards to cache per toolset, each with its caller's session grants. */
const mostGuards = 1_000;

/** Returns the guarded toolset of a caller: the app's own guard, or one per principal that asks the client. */
export function createGuards(
  served: ServedTools,
  { policy = permissions('write'), grants, limits }: Pick<McpServerOptions, 'policy' | 'grants' | 'limits'>,
): (caller: McpCaller) => Toolset {
  const known = new WeakMap<Toolset, Map<string, Toolset>>();
  return (caller) => {
    const toolset = typeof served === 'function' ? served(caller) : served;
    if (isGuarded(toolset)) return toolset;
    const { principal } = caller;
    const ofToolset = known.get(toolset) ?? new Map<string, Toolset>();
    known.set(toolset, ofToolset);
    const key = JSON.stringify(principal ?? null);
    const before = ofToolset.get(key);
    if (before !== undefined) return before;
    const made = guard(toolset, {
      policy,
      ask: askClient,
      limits: { ...limits, repeats: Infinity }, // a client may poll
      ...(grants && { grants }),
      ...(principal && { principal }),
    });
    const [oldest] = ofToolset.keys();
    if (ofToolset.size >= mostGuards && oldest !== undefined) ofToolset.delete(oldest);
    ofToolset.set(key, made);
    return made;
  };
}

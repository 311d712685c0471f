import { mapCalls, prependPartly } from './calls.ts';
import { prepend } from './ending.ts';
import type { CallState, RunEffect, RunState, Step } from './state.ts';

/** Calls that run at once, where nothing is said. */
const defaultConcurrency = 16;

/**
 * Begins the calls that may: reads run together, one that changes something waits for all before it, and none passes
 * it. In a turn that is still being streamed they begin as well; one that changes something once it is stored.
 */
export function begin({ state, effects }: Step): Step {
  const { turn } = state;
  if (turn === undefined || (!turn.isOpen && turn.stored === 0)) return { state, effects };
  if (!turn.calls.some(({ phase }) => phase === 'ready')) return { state, effects };
  const begun: RunEffect[] = [];
  const places = createPlaces(state, turn.calls);
  let isAnyOpen = false;
  let isChangeOpen = false;
  let isChangeBegun = false;
  const next = mapCalls(state, (each) => {
    if (each.phase === 'done') return each;
    const changes = each.effects !== 'read';
    const isBlocked = changes ? isAnyOpen : isChangeOpen;
    isAnyOpen = true;
    isChangeOpen ||= changes || each.phase === 'preparing';
    if (each.phase !== 'ready' || isBlocked || !places.take(each)) return each;
    begun.push({ type: 'execute-call', call: each.call });
    isChangeBegun ||= changes;
    return { ...each, phase: 'running' };
  });
  if (begun.length === 0) return { state, effects };
  return prepend(effects, isChangeBegun ? prependPartly(next, begun) : { state: next, effects: begun });
}

/** The places that are free for calls to run in: of all, and of each tool. There is one at least, or nothing would run. */
function createPlaces({ limits }: RunState, calls: readonly CallState[]): { take(call: CallState): boolean } {
  let taken: Map<string, number> | undefined; // of tools that have a limit
  let free = Math.max(1, limits.concurrency ?? defaultConcurrency);
  const enter = ({ call: { name }, concurrency }: CallState): void => {
    free--;
    if (concurrency !== undefined) (taken ??= new Map()).set(name, (taken.get(name) ?? 0) + 1);
  };
  for (const each of calls) if (each.phase === 'running' && each.refusal === undefined) enter(each);
  return {
    take(each) {
      const { concurrency = Infinity } = each;
      if (free <= 0 || (taken?.get(each.call.name) ?? 0) >= Math.max(1, concurrency)) return false;
      enter(each);
      return true;
    },
  };
}

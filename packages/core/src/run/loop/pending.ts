import type { DetachedCalls, RunState } from './state.ts';

/** The state with one more call in the background. */
export function withDetached(state: RunState, callId: string): RunState {
  const { pending, ...rest } = state.detached ?? { pending: [], late: [], isResting: false };
  return { ...state, detached: { ...rest, pending: [...pending, callId] } };
}

/** Calls in the background that a run finds in its history; undefined if there are none. */
export function detachedFrom(pending: readonly string[]): DetachedCalls | undefined {
  return pending.length === 0 ? undefined : { pending, late: [], isResting: false };
}

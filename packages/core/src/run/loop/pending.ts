import type { Draft } from './draft.ts';
import type { DetachedCalls } from './state.ts';

/** One more call goes on in the background. */
export function addDetached({ state }: Draft, callId: string): void {
  const { pending, ...rest } = state.detached ?? { pending: [], late: [], isResting: false };
  state.detached = { ...rest, pending: [...pending, callId] };
}

/** Calls in the background that a run finds in its history; undefined if there are none. */
export function detachedFrom(pending: readonly string[]): DetachedCalls | undefined {
  return pending.length === 0 ? undefined : { pending, late: [], isResting: false };
}

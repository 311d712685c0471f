import type { Message } from '../../model/message.ts';
import { finish, keep } from './ending.ts';
import { nextTurn } from './next-turn.ts';
import type { Draft } from './draft.ts';
import type { RunInput, RunState } from './state.ts';

// Background calls: the run continues alongside them, and does not end before them by itself.

/** One of them has its result: the model gets it with its next turn, which there is then. */
export function afterLateResult(draft: Draft, { callId, message }: Extract<RunInput, { type: 'late-result' }>): void {
  const { detached } = draft.state;
  if (detached?.pending.includes(callId) !== true) return;
  const pending = detached.pending.filter((each) => each !== callId);
  draft.state.detached = { ...detached, pending, late: [...detached.late, message] };
  if (detached.isResting) nextTurn(draft);
}

/** True if the run only waits for background calls. */
export function isResting({ detached }: RunState): boolean {
  return detached?.isResting === true;
}

/** The model has answered while calls go on in the background. False: none does. */
export function rest(draft: Draft, answer?: Message): boolean {
  const { detached } = draft.state;
  if (detached === undefined || detached.pending.length === 0) return false;
  draft.state.detached = { ...detached, isResting: true };
  if (answer !== undefined) keep(draft, [answer]);
  draft.effects.push({ type: 'rest' });
  return true;
}

/** They have taken so long that the run parks. */
export function afterRest(draft: Draft): void {
  if (isResting(draft.state)) finish(draft, { status: 'needs-results' });
}

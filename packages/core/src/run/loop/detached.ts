import type { Message } from '../../model/message.ts';
import { append, finish, ignore, prepend, withMessages } from './ending.ts';
import { nextTurn } from './next-turn.ts';
import type { RunInput, RunState, Step } from './state.ts';

// Calls that go on in the background: the run goes on beside them, and does not end before them by itself.

/** One of them has its result: the model gets it with its next turn, which there is then. */
export function afterLateResult(
  state: RunState,
  { callId, message }: Extract<RunInput, { type: 'late-result' }>,
): Step {
  const { detached } = state;
  if (detached?.pending.includes(callId) !== true) return ignore(state);
  const pending = detached.pending.filter((each) => each !== callId);
  const next = { ...state, detached: { ...detached, pending, late: [...detached.late, message] } };
  return detached.isResting ? nextTurn(next) : ignore(next);
}

/** Whether nothing is left to do but wait for them. */
export function isResting({ detached }: RunState): boolean {
  return detached?.isResting === true;
}

/** The model has answered while calls go on in the background. Undefined: none does. */
export function rest(state: RunState, answer?: Message): Step | undefined {
  const { detached } = state;
  if (detached === undefined || detached.pending.length === 0) return undefined;
  const resting: RunState = { ...state, detached: { ...detached, isResting: true } };
  const step: Step = { state: resting, effects: [{ type: 'rest' }] };
  if (answer === undefined) return step;
  return prepend([append(answer)], { ...step, state: withMessages(resting, answer) });
}

/** They have taken so long that the run parks. */
export function afterRest(state: RunState): Step {
  return isResting(state) ? finish(state, { status: 'needs-results' }) : ignore(state);
}

import type { Message, Part } from '../../model/message.ts';
import type { RunProblem } from '../../tool/run-result.ts';
import { detachedFrom } from './pending.ts';
import type { CallingTurn, CallState, RunEffect, RunEnd, RunState, Step } from './state.ts';

/** Nothing changes, and nothing is to be done. */
export function ignore(state: RunState): Step {
  return { state, effects: [] };
}

/** A step with something to be done before. */
export function prepend(effects: readonly RunEffect[], step: Step): Step {
  if (effects.length === 0) return step;
  return { state: step.state, effects: effects.concat(step.effects) };
}

/** Stores a message. */
export function append(message: Message): RunEffect {
  return { type: 'append', message };
}

/** Stores a turn as far as it came. */
export function draft(message: Message): RunEffect {
  return { type: 'append', message, isDraft: true };
}

/** The state with messages at the end of its history. */
export function withMessages(state: RunState, ...messages: readonly Message[]): RunState {
  return { ...state, messages: state.messages.concat(messages) };
}

/** A message of the model without its calls, and so without the provider's state, which has them too. */
export function withoutCalls(message: Message): Message {
  const { origin, ...rest } = message;
  const parts = message.parts.filter((part) => part.type !== 'tool-call');
  return { ...rest, parts, ...(origin && { origin: { api: origin.api, model: origin.model } }) };
}

/** The turn and the results that it has become part of the history, in call order. */
export function withTurn(state: RunState): RunState {
  const { turn, messages } = state;
  if (turn === undefined) return state;
  const added = [messageOf(turn)];
  for (const { message } of turn.calls) if (message !== undefined) added.push(message);
  return { ...state, turn: undefined, messages: messages.concat(added) };
}

/** The message of a turn, with its calls as they run; the same object where it has them already. */
export function messageOf({ message, calls }: CallingTurn): Message {
  let next = 0; // the calls are in the order of the parts
  let parts: Part[] | undefined;
  for (let index = 0; index < message.parts.length; index++) {
    const part = message.parts[index] as Part;
    if (part.type !== 'tool-call' || part.callId !== calls[next]?.call.callId) continue;
    const { call } = calls[next++] as CallState;
    if (call !== part) (parts ??= message.parts.slice())[index] = call;
  }
  return parts === undefined ? message : { ...message, parts };
}

/** End of a run that failed: an abort if its thread was taken over or deleted, or does not answer a run that was aborted. */
export function endAfter(problem: RunProblem): RunEnd {
  if (problem.code === 'aborted') return { status: 'aborted' };
  return { status: ['thread_taken', 'thread_deleted'].includes(problem.code) ? 'aborted' : 'error', error: problem };
}

/** The end. A turn whose message is not stored is kept without its calls; what the user sent meanwhile is not lost. */
export function finish(state: RunState, end: RunEnd): Step {
  const { turn, detached } = state;
  const late =
    detached === undefined || turn?.calls.some(({ phase }) => phase !== 'done') === true ? [] : detached.late;
  const waiting = late.length === 0 ? state.waiting : [...late, ...state.waiting]; // else they are asked for again
  if (turn === undefined || turn.stored > 0) return conclude(withTurn(state), end, waiting);
  const message = withoutCalls(turn.message);
  const last = message.parts.length === 0 ? waiting : [message, ...waiting];
  return conclude({ ...state, turn: undefined }, end, last);
}

function conclude(state: RunState, end: RunEnd, last: readonly Message[]): Step {
  const detached = state.detached && detachedFrom(state.detached.pending);
  const ended = { ...withMessages(state, ...last), waiting: [], detached, end };
  return { state: ended, effects: [...last.map(append), { type: 'end', end }] };
}

/** The end, with what came of a turn that is not whole: the best of its attempts. */
export function finishHalf(state: RunState, end: RunEnd, message = state.half): Step {
  return message === undefined ? finish(state, end) : finishWith(withoutCalls(message), state, end);
}

/** The end with a last message. */
export function finishWith(message: Message, state: RunState, end: RunEnd): Step {
  return prepend([append(message)], finish(withMessages(state, message), end));
}

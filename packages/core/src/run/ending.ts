import type { Message } from '../message.ts';
import type { CallingTurn, RunEffect, RunEnd, RunState, Step } from './state.ts';

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

/** Whether some of the calls are not ready to begin. Until then, their message is not stored. */
export function isPreparing({ calls }: CallingTurn): boolean {
  return calls.some(({ phase }) => phase === 'preparing');
}

/** The turn and the results that it has become part of the history, in call order. */
export function withTurn(state: RunState): RunState {
  const { turn, messages } = state;
  if (turn === undefined) return state;
  const results = turn.calls.flatMap(({ message }) => message ?? []);
  return { ...state, turn: undefined, messages: messages.concat(turn.message, results) };
}

/** The end. Calls that were being prepared have not begun: their message is kept without them. */
export function finish(state: RunState, end: RunEnd): Step {
  const { turn } = state;
  const effect: RunEffect = { type: 'end', end };
  if (turn === undefined || !isPreparing(turn)) return { state: { ...withTurn(state), end }, effects: [effect] };
  const message = withoutCalls(turn.message);
  return { state: { ...withMessages(state, message), turn: undefined, end }, effects: [append(message), effect] };
}

/** The end with a last message. */
export function finishWith(message: Message, state: RunState, end: RunEnd): Step {
  return prepend([append(message)], finish(withMessages(state, message), end));
}

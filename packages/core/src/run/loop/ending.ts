import { isOurCall, withParts } from '../../model/message.ts';
import type { Message, Part } from '../../model/message.ts';
import type { RunProblem } from '../../tool/run-result.ts';
import { detachedFrom } from './pending.ts';
import type { Draft } from './draft.ts';
import type { CallingTurn, CallState, RunEnd } from './state.ts';

/** Stores a message. */
export function append({ effects }: Draft, message: Message): void {
  effects.push({ type: 'append', message });
}

/** Puts messages at the end of the history. */
function addMessages({ state }: Draft, messages: readonly Message[]): void {
  if (messages.length > 0) state.messages = state.messages.concat(messages);
}

/** A message of the model without its calls. */
export function withoutCalls(message: Message): Message {
  return withParts(
    message,
    message.parts.filter((part) => part.type !== 'tool-call'),
  );
}

/** The turn and the results that it has become part of the history, in call order. */
export function addTurn(draft: Draft): void {
  const { turn } = draft.state;
  if (turn === undefined) return;
  const results = turn.calls.map(({ message }) => message);
  draft.state.turn = undefined;
  draft.state.messages = draft.state.messages.concat(
    messageOf(turn),
    results.every(isMessage) ? results : results.filter(isMessage),
  );
}

function isMessage(message: Message | undefined): message is Message {
  return message !== undefined;
}

/** The message of a turn, with its calls as they run; the same object if it already has them. */
export function messageOf({ message, calls }: CallingTurn): Message {
  let next = 0; // the calls are in the order of the parts
  let parts: Part[] | undefined;
  for (let index = 0; index < message.parts.length; index++) {
    const part = message.parts[index] as Part;
    if (!isOurCall(part) || part.callId !== calls[next]?.call.callId) continue;
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
export function finish(draft: Draft, end: RunEnd): void {
  const { turn, detached, waiting } = draft.state;
  const late =
    detached === undefined || turn?.calls.some(({ phase }) => phase !== 'done') === true ? [] : detached.late; // else they are asked for again
  if (turn === undefined || turn.stored > 0) addTurn(draft);
  else {
    draft.state.turn = undefined;
    const message = withoutCalls(turn.message);
    if (message.parts.length > 0) keep(draft, [message]);
  }
  keep(draft, late);
  keep(draft, waiting);
  draft.state.waiting = [];
  draft.state.detached = detached && detachedFrom(detached.pending);
  draft.state.end = end;
  draft.effects.push({ type: 'end', end });
}

/** Stores messages at the end of the history. */
export function keep(draft: Draft, messages: readonly Message[]): void {
  addMessages(draft, messages);
  for (const message of messages) append(draft, message);
}

/** The end, with the parts of an incomplete turn: the best of its attempts. */
export function finishHalf(draft: Draft, end: RunEnd, message = draft.state.half): void {
  if (message === undefined) finish(draft, end);
  else finishWith(draft, withoutCalls(message), end);
}

/** The end with a last message. */
export function finishWith(draft: Draft, message: Message, end: RunEnd): void {
  keep(draft, [message]);
  finish(draft, end);
}

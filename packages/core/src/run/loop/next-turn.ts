import type { Message } from '../../model/message.ts';
import { finish, finishHalf, keep } from './ending.ts';
import { answerText, lastTurnText, reachedLimit } from './limits.ts';
import { detachedFrom } from './pending.ts';
import type { RunLimit } from '../../tool/run-limits.ts';
import type { Draft } from './draft.ts';
import type { RunState } from './state.ts';
import type { ToolChoice } from '../../model/model.ts';

/**
 * The next turn of the model; at a limit its last one, without tools. `reached`: a limit that was reported to the run.
 */
export function nextTurn(draft: Draft, reached?: RunLimit): void {
  const { state, effects } = draft;
  addWaiting(draft);
  const limit = state.limit ?? reached ?? reachedLimit(state);
  const { messages, toolChoice, shrink, attempt, answerTool } = state;
  if (limit === undefined) {
    const isForced = state.wasForced && typeof toolChoice === 'object';
    const note = isForced ? answerText : messages.at(-1)?.incomplete ? continueText : undefined;
    effects.push({ type: 'call-model', messages, toolChoice, shrink, attempt, ...(note !== undefined && { note }) });
    return;
  }
  const asks = asksNow(state, limit);
  state.limit = limit;
  if (asks) return void effects.push({ type: 'ask-limit', limit });
  state.isLastTurn = true;
  const lastChoice: ToolChoice = answerTool === undefined ? 'none' : { tool: answerTool };
  const note = lastTurnText(limit, answerTool !== undefined);
  effects.push({ type: 'call-model', messages, shrink, attempt, toolChoice: lastChoice, lastTurn: limit, note });
}

/** Adds waiting messages to the history. */
function addWaiting(draft: Draft): void {
  const { state } = draft;
  const { detached, waiting } = state;
  state.hasMovedOn = false;
  state.isRetrying = false;
  if (detached !== undefined) {
    state.detached = detachedFrom(detached.pending);
    keep(draft, detached.late);
  }
  if (waiting.length === 0) return;
  state.waiting = [];
  keep(draft, waiting);
}

/**
 * True if the user can extend the run. False when its time is over, because nobody waits that long for an answer, and
 * for a limit of zero, because twice zero is still zero.
 */
function asksNow({ asksAtLimit, limit: known, isStopping, limits }: RunState, limit: RunLimit): boolean {
  if (limit === 'time' || limit === 'output-tokens' || limit === 'budget' || limits[limit] === 0) return false;
  return asksAtLimit && known === undefined && !isStopping;
}

/** Handles a turn that its limit or budget does not cover; a budget does not cover a last turn either. */
export function outOfBounds(draft: Draft, limit: RunLimit): void {
  const { state } = draft;
  if (state.turn !== undefined) return;
  if (state.isStopping) return finishHalf(draft, { status: 'stopped' });
  if (limit !== 'budget') return nextTurn(draft, limit);
  state.limit = limit;
  finishHalf(draft, { status: 'limit', limit });
}

/** True if the user is being asked at a limit. */
export function isAskingLimit({ turn, limit, isLastTurn, isTimeOver }: RunState): boolean {
  return turn === undefined && limit !== undefined && !isLastTurn && !isTimeOver;
}

/** The run goes on for as much again, or has its last turn. */
export function afterLimit(draft: Draft, goesOn: boolean): void {
  const { state } = draft;
  if (!isAskingLimit(state)) return;
  if (goesOn) {
    state.limit = undefined;
    state.fromStep = state.steps;
    state.repeatedTurns = 0;
  }
  nextTurn(draft);
}

/**
 * Messages that the user sent while the end was being stored: read by the model if the run was complete, and otherwise
 * kept.
 */
export function reopen(draft: Draft, messages: readonly Message[]): void {
  const { state } = draft;
  const { end } = state;
  if (end === undefined) return;
  state.end = undefined;
  state.waiting = messages;
  if (end.status === 'complete' && end.value === undefined && !state.isStopping) nextTurn(draft);
  else finish(draft, end);
}

const continueText = 'Your last answer was truncated. Continue it from where it stopped.';

import type { Message } from '../../model/message.ts';
import { append, finish, finishHalf, ignore } from './ending.ts';
import { answerText, lastTurnText, reachedLimit } from './limits.ts';
import { detachedFrom } from './pending.ts';
import type { RunLimit } from '../../tool/run-limits.ts';
import type { RunEffect, RunState, Step } from './state.ts';
import type { ToolChoice } from '../../model/model.ts';

/** The next turn of the model; at a limit its last one, without tools. `reached`: one that the run was told of. */
export function nextTurn(before: RunState, reached?: RunLimit): Step {
  const { state, stored } = withWaiting(before);
  const limit = state.limit ?? reached ?? reachedLimit(state);
  const { messages, toolChoice, shrink, attempt, answerTool } = state;
  if (limit === undefined) {
    const isForced = state.wasForced && typeof toolChoice === 'object';
    const note = isForced ? { note: answerText } : messages.at(-1)?.incomplete ? { note: continueText } : {};
    const effect: RunEffect = { type: 'call-model', messages, toolChoice, shrink, attempt, ...note };
    return { state, effects: [...stored, effect] };
  }
  if (asksNow(state, limit)) return { state: { ...state, limit }, effects: [...stored, { type: 'ask-limit', limit }] };
  const lastChoice: ToolChoice = answerTool === undefined ? 'none' : { tool: answerTool };
  const note = lastTurnText(limit, answerTool !== undefined);
  const last = { toolChoice: lastChoice, lastTurn: limit, note };
  const effect: RunEffect = { type: 'call-model', messages, shrink, attempt, ...last };
  return { state: { ...state, limit, isLastTurn: true }, effects: [...stored, effect] };
}

/** The state with what waits for a turn, and what is to be stored of it. Nothing is copied if nothing does. */
function withWaiting(before: RunState): { readonly state: RunState; readonly stored: readonly RunEffect[] } {
  const { detached, waiting, hasMovedOn, isRetrying } = before;
  const added = detached === undefined ? waiting : [...detached.late, ...waiting];
  if (added.length === 0 && detached === undefined && !hasMovedOn && !isRetrying) return { state: before, stored: [] };
  const next = { waiting: [], hasMovedOn: false, isRetrying: false };
  const left = detached && { detached: detachedFrom(detached.pending) };
  return {
    state: { ...before, messages: [...before.messages, ...added], ...next, ...left },
    stored: added.map(append),
  };
}

/**
 * Whether the user can let the run go on. Not when its time is over: nobody waits that long for an answer. And not for as
 * much again as nothing.
 */
function asksNow({ asksAtLimit, limit: known, isStopping, limits }: RunState, limit: RunLimit): boolean {
  if (limit === 'time' || limit === 'output-tokens' || limit === 'budget' || limits[limit] === 0) return false;
  return asksAtLimit && known === undefined && !isStopping;
}

/** There was not enough left for the turn that was to be asked for; of a budget, there is nothing for a last one either. */
export function outOfBounds(state: RunState, limit: RunLimit): Step {
  if (state.turn !== undefined) return ignore(state);
  if (state.isStopping) return finishHalf(state, { status: 'stopped' });
  return limit === 'budget' ? finishHalf({ ...state, limit }, { status: 'limit', limit }) : nextTurn(state, limit);
}

/** Whether the user is being asked at a limit. */
export function isAskingLimit({ turn, limit, isLastTurn, isTimeOver }: RunState): boolean {
  return turn === undefined && limit !== undefined && !isLastTurn && !isTimeOver;
}

/** The run goes on for as much again, or has its last turn. */
export function afterLimit(state: RunState, goesOn: boolean): Step {
  if (!isAskingLimit(state)) return ignore(state);
  const { limit: _, ...rest } = state;
  return nextTurn(goesOn ? { ...rest, fromStep: state.steps, repeatedTurns: 0 } : state);
}

/** What the user sent while the end was being stored is read by the model if the run was complete, and is kept if not. */
export function reopen({ end, ...state }: RunState, messages: readonly Message[]): Step {
  if (end === undefined) return ignore(state);
  const waiting = { ...state, waiting: messages };
  const goesOn = end.status === 'complete' && end.value === undefined && !state.isStopping;
  return goesOn ? nextTurn(waiting) : finish(waiting, end);
}

const continueText = 'Your last answer was cut off. Continue it from where it stopped.';

import { callsOf } from '../../model/message.ts';
import type { Message } from '../../model/message.ts';
import { addUsage } from '../../model/add-usage.ts';
import { closeTurn, timeIsOver } from './calls.ts';
import { rest } from './detached.ts';
import { append, finishWith, prepend, withMessages, withoutCalls } from './ending.ts';
import { nextTurn } from './next-turn.ts';
import { succeeded } from './retries.ts';
import type { RunEnd, RunInput, RunState, Step } from './state.ts';

/** Whether calls of the turn under way are run. In the last turn, only a structured answer is. */
export function mayCall({ limit, toolChoice, isLastTurn, answerTool, ending }: RunState): boolean {
  if (ending !== undefined) return false;
  return limit === undefined ? toolChoice !== 'none' : isLastTurn && answerTool !== undefined;
}

/** A turn that came to its end. */
type WholeTurn = Extract<RunInput, { type: 'turn' }>;

/** A turn is whole: its calls are to be run, or the model has answered. */
export function afterTurn(before: RunState, input: WholeTurn): Step {
  const state: RunState = {
    ...before,
    steps: before.steps + 1,
    usage: addUsage(before.usage, input.usage),
    toolChoice: before.toolChoice === 'none' ? 'none' : 'auto', // forced once: else the model could never answer
    ...(before.attempt.failed > 0 && succeeded(before)),
  };
  const calls = callsOf(input.message);
  const isCut = input.reason === 'length' && calls.some((call) => call.invalidInput !== undefined);
  if (before.turn === undefined && (calls.length === 0 || !mayCall(before)))
    return afterAnswer(state, input, isCut ? cutOff : endOf(input));
  const why = mayCall(before) ? undefined : before.limit === 'time' ? timeIsOver : 'the run is over';
  const ending = isCut && before.wasCutOff ? { ending: cutOff } : {};
  return closeTurn({ ...state, ...ending }, input.message, { isCut, why });
}

const cutOff = { status: 'limit', limit: 'output-tokens' } as const;

/** After a turn none of whose calls is run: the model has answered, or wants to go on. */
function afterAnswer(state: RunState, { message, reason }: WholeTurn, end: RunEnd): Step {
  const hasCalls = callsOf(message).length > 0;
  const answer = hasCalls ? withoutCalls(message) : message;
  if (state.isLastTurn) return finishWith(answer, state, lastEnd(state, end));
  const wantsMore = reason === 'pause' || (hasCalls && state.limit !== undefined);
  if (wantsMore && state.isStopping) return finishWith(answer, state, { status: 'stopped' });
  const isSent = state.waiting.length > 0 || (state.detached !== undefined && state.detached.late.length > 0);
  const isAnswered = !wantsMore && (end.status !== 'complete' || state.isStopping || !isSent);
  const rests = isAnswered && end.status === 'complete' && !state.isStopping ? rest(state, answer) : undefined;
  if (rests !== undefined) return rests;
  return isAnswered ? answered(state, answer, end) : prepend([append(answer)], nextTurn(withMessages(state, answer)));
}

/** The model has answered; where the answer is to have a form and has not, it is asked for once more. */
function answered(state: RunState, answer: Message, end: RunEnd): Step {
  const { answerTool } = state;
  if (end.status !== 'complete' || answerTool === undefined) return finishWith(answer, state, end);
  if (state.wasForced) return finishWith(answer, state, { status: 'error', error: noAnswer });
  const forced: RunState = { ...withMessages(state, answer), toolChoice: { tool: answerTool }, wasForced: true };
  return prepend([append(answer)], nextTurn(forced));
}

const noAnswer = {
  code: 'invalid_output',
  message: 'The model did not give its answer in the form that was asked for.',
} as const;

/** How a run ends with a turn that has no calls. */
function endOf({ reason, detail }: Extract<RunInput, { type: 'turn' }>): RunEnd {
  switch (reason) {
    case 'length':
      return { status: 'limit', limit: 'output-tokens' };
    case 'error':
      return { status: 'error', error: { code: 'model_failed', message: detail ?? 'The model failed.' } };
    case 'refusal':
    case 'content-filter':
      return { status: 'refused', error: { code: 'model_refused', message: detail ?? 'The model refused to answer.' } };
    case 'stop':
    case 'tool-calls':
    case 'pause':
      return { status: 'complete' };
  }
}

/** After the last turn a run has reached its limit, unless the turn failed or was refused. */
export function lastEnd({ limit = 'steps' }: RunState, end: RunEnd): RunEnd {
  return end.status === 'complete' || end.status === 'limit' ? { status: 'limit', limit } : end;
}

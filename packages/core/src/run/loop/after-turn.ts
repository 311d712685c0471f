import { callsOf, hasCalls } from '../../model/message.ts';
import type { Message } from '../../model/message.ts';
import { addUsage } from '../../model/add-usage.ts';
import { closeTurn, timeIsOver } from './calls.ts';
import { rest } from './detached.ts';
import { finishWith, keep, withoutCalls } from './ending.ts';
import { nextTurn } from './next-turn.ts';
import { succeeded } from './retries.ts';
import type { Draft } from './draft.ts';
import type { RunEnd, RunInput, RunState } from './state.ts';

/** True if calls of the current turn are run. In the last turn, only a structured answer is. */
export function mayCall({ limit, toolChoice, isLastTurn, answerTool, ending }: RunState): boolean {
  if (ending !== undefined) return false;
  return limit === undefined ? toolChoice !== 'none' : isLastTurn && answerTool !== undefined;
}

/** A turn that came to its end. */
type WholeTurn = Extract<RunInput, { type: 'turn' }>;

/** Handles a complete turn: its calls must run, or the model has answered. */
export function afterTurn(draft: Draft, input: WholeTurn): void {
  const { state } = draft;
  const runsCalls = mayCall(state);
  state.steps++;
  state.usage = addUsage(state.usage, input.usage);
  if (state.toolChoice !== 'none') state.toolChoice = 'auto'; // forced once: else the model could never answer
  succeeded(draft);
  const isCut = input.reason === 'length' && callsOf(input.message).some((call) => call.invalidInput !== undefined);
  if (state.turn === undefined && (!runsCalls || !hasCalls(input.message)))
    return afterAnswer(draft, input, isCut ? cutOff : endOf(input));
  const why = runsCalls ? undefined : state.limit === 'time' ? timeIsOver : 'the run is over';
  if (isCut && state.wasCutOff) state.ending = cutOff;
  closeTurn(draft, input.message, { isCut, why });
}

const cutOff = { status: 'limit', limit: 'output-tokens' } as const;

/** After a turn none of whose calls is run: the model has answered, or wants to go on. */
function afterAnswer(draft: Draft, { message, reason }: WholeTurn, end: RunEnd): void {
  const { state } = draft;
  const makesCalls = hasCalls(message);
  const answer = makesCalls ? withoutCalls(message) : message;
  if (state.isLastTurn) return finishWith(draft, answer, lastEnd(state, end));
  const wantsMore = reason === 'pause' || (makesCalls && state.limit !== undefined);
  if (wantsMore && state.isStopping) return finishWith(draft, answer, { status: 'stopped' });
  const isSent = state.waiting.length > 0 || (state.detached !== undefined && state.detached.late.length > 0);
  const isAnswered = !wantsMore && (end.status !== 'complete' || state.isStopping || !isSent);
  if (isAnswered && end.status === 'complete' && !state.isStopping && rest(draft, answer)) return;
  if (isAnswered) return answered(draft, answer, end);
  keep(draft, [answer]);
  nextTurn(draft);
}

/** Handles the model's answer; if it must have a form and does not, asks for it again. */
function answered(draft: Draft, answer: Message, end: RunEnd): void {
  const { state } = draft;
  const { answerTool } = state;
  if (end.status !== 'complete' || answerTool === undefined) return finishWith(draft, answer, end);
  if (state.wasForced) return finishWith(draft, answer, { status: 'error', error: noAnswer });
  state.toolChoice = { tool: answerTool };
  state.wasForced = true;
  keep(draft, [answer]);
  nextTurn(draft);
}

const noAnswer = {
  code: 'invalid_output',
  message: 'The model did not give its answer in the form that was asked for.',
} as const;

/** End of a run after a turn without calls. */
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

import { callsOf } from '../message.ts';
import { addUsage } from '../model.ts';
import { afterPreparation, afterResult, begin, giveUp, phaseOf, prepareCalls, timeIsOver, withCall } from './calls.ts';
import {
  append,
  finish,
  finishWith,
  ignore,
  isPreparing,
  prepend,
  withMessages,
  withoutCalls,
  withTurn,
} from './ending.ts';
import { reachedLimit } from './limits.ts';
import type { RunEffect, RunEnd, RunInput, RunState, Step } from './state.ts';

/**
 * What happens next in a run: a pure function of its state and of what happened. Drivers perform the effects, and feed
 * what comes of them back in. After the end, nothing more happens.
 */
export function step(state: RunState, input: RunInput): Step {
  if (state.end !== undefined) return ignore(state);
  switch (input.type) {
    case 'begin':
      return nextTurn(state);
    case 'turn':
      return state.turn === undefined ? afterTurn(state, input) : ignore(state);
    case 'turn-failed':
      return afterFailedTurn(state, input);
    case 'prepared':
      return phaseOf(state, input.call.callId) === 'preparing' ? goOn(afterPreparation(state, input)) : ignore(state);
    case 'approved':
      if (phaseOf(state, input.callId) !== 'asking') return ignore(state);
      return goOn(ignore(withCall(state, input.callId, { phase: 'ready' })));
    case 'result':
      return ['asking', 'running'].includes(phaseOf(state, input.callId) ?? '')
        ? goOn(afterResult(state, input))
        : ignore(state);
    case 'time-over':
      return afterTime(state);
    case 'stop':
      return goOn(ignore({ ...state, isStopping: true }));
    case 'abort':
      return abort(state, input);
    case 'failed':
      return finish(state, { status: 'error', error: input.problem });
  }
}

/** The next turn of the model; at a limit its last one, without tools. */
function nextTurn(state: RunState): Step {
  const limit = state.limit ?? reachedLimit(state.limits, state.steps, state.usage);
  const { messages, toolChoice } = state;
  if (limit === undefined) return { state, effects: [{ type: 'call-model', messages, toolChoice }] };
  const effect: RunEffect = { type: 'call-model', messages, toolChoice: 'none', lastTurn: limit };
  return { state: { ...state, limit, isLastTurn: true }, effects: [effect] };
}

function afterTurn(before: RunState, input: Extract<RunInput, { type: 'turn' }>): Step {
  const { message, reason, usage } = input;
  const state = {
    ...before,
    steps: before.steps + 1,
    usage: addUsage(before.usage, usage),
    toolChoice: afterFirst(before),
  };
  const calls = callsOf(message);
  const mayCall = before.limit === undefined && before.toolChoice !== 'none';
  const isCut = reason === 'length' && calls.some((call) => call.invalidInput !== undefined);
  if (calls.length > 0 && mayCall && !(isCut && state.wasCutOff)) return goOn(prepareCalls(state, message, isCut));
  const answer = calls.length > 0 ? withoutCalls(message) : message;
  if (isCut && !state.isLastTurn) return finishWith(answer, state, { status: 'limit', limit: 'output-tokens' });
  if (state.isLastTurn) return finishWith(answer, state, lastEnd(state, endOf(input)));
  const wantsMore = reason === 'pause' || (calls.length > 0 && state.limit !== undefined);
  if (wantsMore && state.isStopping) return finishWith(answer, state, { status: 'stopped' });
  if (wantsMore) return prepend([append(answer)], nextTurn(withMessages(state, answer)));
  return finishWith(answer, state, endOf(input));
}

/** A forced call is forced once: else the model could never answer. */
function afterFirst({ toolChoice }: RunState): RunState['toolChoice'] {
  return toolChoice === 'none' ? 'none' : 'auto';
}

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
function lastEnd({ limit = 'steps' }: RunState, end: RunEnd): RunEnd {
  return end.status === 'complete' || end.status === 'limit' ? { status: 'limit', limit } : end;
}

function afterFailedTurn(state: RunState, { problem, message }: Extract<RunInput, { type: 'turn-failed' }>): Step {
  const end: RunEnd = { status: 'error', error: problem };
  return message === undefined ? finish(state, end) : finishWith(message, state, end);
}

/** After an event of the calls: the next ones begin; once all are done, their results go to the model. */
function goOn(event: Step): Step {
  const { turn } = event.state;
  if (turn === undefined || isPreparing(turn)) return event;
  if (turn.calls.every(({ phase }) => phase === 'done')) return prepend(event.effects, afterCalls(event.state));
  const next = begin(event);
  const isWaiting = next.state.turn?.calls.every(({ phase }) => phase !== 'running') ?? false;
  return next.state.isStopping && isWaiting ? prepend(next.effects, pause(next.state)) : next;
}

function afterCalls(state: RunState): Step {
  if (state.isAborting) return finish(state, { status: 'aborted' });
  if (state.control !== undefined) return finish(state, { status: 'complete', value: state.control.end.value });
  return state.isStopping ? finish(state, { status: 'stopped' }) : nextTurn(withTurn(state));
}

/** A stop while only questions are open ends the run with them. */
function pause(state: RunState): Step {
  const isInput = state.turn?.calls.some(({ phase, clientAnswers }) => phase === 'asking' && clientAnswers) ?? false;
  return finish(state, { status: isInput ? 'needs-input' : 'needs-approval' });
}

/** Time is over: what runs is cancelled, what waits does not begin; the second time, the run ends. */
function afterTime(state: RunState): Step {
  const limit = state.limit ?? 'time';
  if (state.isTimeOver) return finish(state, { status: 'limit', limit });
  const over = giveUp({ ...state, isTimeOver: true, limit }, ['ready', 'asking'], timeIsOver);
  return prepend([{ type: 'cancel-calls' }], over);
}

/** At once: every call is answered, whatever its tool does; a turn of the model is kept as far as it came. */
function abort(before: RunState, { message }: Extract<RunInput, { type: 'abort' }>): Step {
  const state = { ...before, isAborting: true };
  if (message !== undefined) return finishWith(message, state, { status: 'aborted' });
  const step = giveUp(state, ['ready', 'asking', 'running'], 'the run was aborted');
  return step.effects.length > 0 ? step : finish(state, { status: 'aborted' });
}

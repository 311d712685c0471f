import { cancelledText, failure } from '../tool-result.ts';
import type { ToolResult } from '../tool-result.ts';
import { callsOf } from '../message.ts';
import type { Message, ToolCallPart } from '../message.ts';
import { append, ignore, isPreparing, prepend } from './ending.ts';
import type { CallingTurn, CallState, RunEffect, RunInput, RunState, Step } from './state.ts';

// What happens to the calls of a turn, from their preparation to their results. Each function gives the state and the
// effects of one event; `begin` then starts what may start.

/** The calls of a turn are prepared. Those that the output limit cut off are marked. */
export function prepareCalls(state: RunState, turn: Message, isCut: boolean): Step {
  const message = withoutRepeats(turn);
  const calls = callsOf(message);
  const wasCutOff = (call: ToolCallPart): boolean => isCut && call.invalidInput !== undefined;
  const states = calls.map((call): CallState => {
    return { call, phase: 'preparing', effects: 'read', clientAnswers: false };
  });
  return {
    state: { ...state, turn: { message, calls: states }, wasCutOff: calls.some(wasCutOff) },
    effects: calls.map((call) => ({ type: 'prepare-call', call, wasCutOff: wasCutOff(call) })),
  };
}

/** Two calls with one id could not be told apart: what is approved for one would run for the other. */
function withoutRepeats(message: Message): Message {
  if (message.parts.length < 2) return message;
  const seen = new Set<string>();
  const parts = message.parts.filter((part) => {
    if (part.type !== 'tool-call') return true;
    const isFirst = !seen.has(part.callId);
    seen.add(part.callId);
    return isFirst;
  });
  return parts.length === message.parts.length ? message : { ...message, parts };
}

/** Once all calls of a turn are prepared, its message is stored with their input as it will run. */
export function afterPreparation(state: RunState, input: Extract<RunInput, { type: 'prepared' }>): Step {
  const { call, effects, clientAnswers, verdict } = input;
  const refusal = typeof verdict === 'object' ? verdict.result : undefined;
  const asks = verdict === 'ask' || (verdict === 'allow' && clientAnswers);
  const phase = refusal !== undefined ? 'running' : asks ? 'asking' : 'ready';
  const next = withCall(state, call.callId, { call, phase, effects, clientAnswers, ...(refusal && { refusal }) });
  if (next.turn === undefined || isPreparing(next.turn)) return ignore(next);
  return beginTurn(next, next.isTimeOver ? { ...next.turn, calls: next.turn.calls.map(tooLate) } : next.turn);
}

function tooLate(each: CallState): CallState {
  return { ...each, phase: 'running', refusal: each.refusal ?? notRun(each.call, timeIsOver) };
}

function beginTurn(state: RunState, turn: CallingTurn): Step {
  const message = withInputs(turn);
  const effects = [append(message)];
  for (const { call, phase, clientAnswers, refusal } of turn.calls) {
    if (refusal !== undefined) effects.push({ type: 'settle-call', call, result: refusal });
    else if (phase === 'asking') effects.push({ type: 'ask', call, clientAnswers });
  }
  return { state: { ...state, turn: { message, calls: turn.calls } }, effects };
}

function withInputs({ message, calls }: CallingTurn): Message {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-call') return part;
    return calls.find(({ call }) => call.callId === part.callId)?.call ?? part;
  });
  return { ...message, parts };
}

/** A call has its result. What a tool made of its own input replaces the call in history. */
export function afterResult(before: RunState, input: Extract<RunInput, { type: 'result' }>): Step {
  const { callId, message, result } = input;
  const done = withCall(before, callId, { phase: 'done', message });
  const state = result.control === undefined ? done : { ...done, control: result.control };
  if (result.input === undefined || state.turn === undefined) return { state, effects: [append(message)] };
  const turn = withInput(state.turn, callId, result.input);
  return { state: { ...state, turn }, effects: [append(turn.message), append(message)] };
}

function withInput(turn: CallingTurn, callId: string, input: ToolCallPart['input']): CallingTurn {
  const calls = turn.calls.map((each) =>
    each.call.callId === callId ? { ...each, call: { ...each.call, input } } : each,
  );
  return { calls, message: withInputs({ message: turn.message, calls }) };
}

/** Begins the calls that may: reads run together, one that changes something waits for all before it, and none passes it. */
export function begin({ state, effects }: Step): Step {
  const begun: RunEffect[] = [];
  let isAnyOpen = false;
  let isChangeOpen = false;
  const next = mapCalls(state, (each) => {
    if (each.phase === 'done') return each;
    const isBlocked = each.effects === 'read' ? isChangeOpen : isAnyOpen;
    isAnyOpen = true;
    isChangeOpen ||= each.effects !== 'read';
    if (each.phase !== 'ready' || isBlocked) return each;
    begun.push({ type: 'execute-call', call: each.call });
    return { ...each, phase: 'running' };
  });
  return begun.length === 0 ? { state, effects } : prepend(effects, { state: next, effects: begun });
}

/** Why a call is not run. */
export const timeIsOver = 'the time of the run is over';

/** Answers the calls of these phases without running them, or without waiting for them any longer. */
export function giveUp(state: RunState, phases: readonly CallState['phase'][], why: string): Step {
  if (state.turn === undefined || isPreparing(state.turn)) return ignore(state);
  const open = state.turn.calls.filter(({ phase }) => phases.includes(phase));
  const effects = open.map(({ call, phase }): RunEffect => {
    const result = phase === 'running' ? failure('tool_cancelled', cancelledText(call.name)) : notRun(call, why);
    return { type: 'settle-call', call, result };
  });
  return { state: mapCalls(state, (each) => (open.includes(each) ? { ...each, phase: 'running' } : each)), effects };
}

function notRun({ name }: ToolCallPart, why: string): ToolResult {
  return failure('tool_cancelled', `Tool "${name}" was not run: ${why}.`);
}

/** How far a call of the turn under way is. */
export function phaseOf({ turn }: RunState, callId: string): CallState['phase'] | undefined {
  return turn?.calls.find(({ call }) => call.callId === callId)?.phase;
}

/** The state with one call changed. */
export function withCall(state: RunState, callId: string, change: Partial<CallState>): RunState {
  return mapCalls(state, (each) => (each.call.callId === callId ? { ...each, ...change } : each));
}

function mapCalls(state: RunState, map: (each: CallState) => CallState): RunState {
  const { turn } = state;
  return turn === undefined ? state : { ...state, turn: { ...turn, calls: turn.calls.map(map) } };
}

import { failure } from '../execute.ts';
import { callsOf } from '../message.ts';
import type { Message, ToolCallPart } from '../message.ts';
import { addUsage } from '../model.ts';
import { reachedLimit } from './limits.ts';
import type { CallState, RunEffect, RunEnd, RunInput, RunState, Step } from './state.ts';

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
      return afterTurn(state, input);
    case 'turn-failed':
      return afterFailedTurn(state, input);
    case 'prepared':
      return isIn(state, input.call.callId, 'preparing') ? afterPreparation(state, input) : ignore(state);
    case 'approved':
      return isIn(state, input.callId, 'asking')
        ? schedule(withCall(state, input.callId, { phase: 'ready' }))
        : ignore(state);
    case 'result':
      return isIn(state, input.callId, 'asking', 'running') ? afterResult(state, input) : ignore(state);
    case 'time-over':
      return afterTime(state);
    case 'stop':
      return schedule({ ...state, stopping: true });
    case 'abort':
      return abort(state);
    case 'failed':
      return finish(state, { status: 'error', error: input.problem });
  }
}

function ignore(state: RunState): Step {
  return { state, effects: [] };
}

function isIn({ calls }: RunState, callId: string, ...phases: readonly CallState['phase'][]): boolean {
  return calls.some(({ call, phase }) => call.callId === callId && phases.includes(phase));
}

/** The end: what calls have brought so far is kept. */
function finish(state: RunState, end: RunEnd, effects: readonly RunEffect[] = []): Step {
  return { state: { ...withResults(state), end }, effects: [...effects, { type: 'end', end }] };
}

/** An abort while calls are prepared: none has begun, so the message is kept without them. */
function abort(state: RunState): Step {
  const end: RunEnd = { status: 'aborted' };
  const { turn, ...rest } = state;
  if (turn === undefined || !isPreparing(state)) return finish(state, end);
  const message = withoutCalls(turn);
  return finish(withMessages({ ...rest, calls: [] }, message), end, [{ type: 'append', message }]);
}

/** The next turn of the model; at a limit its last one, without tools. */
function nextTurn(state: RunState): Step {
  const limit = state.limit ?? reachedLimit(state.limits, state.steps, state.usage);
  const effect: RunEffect =
    limit === undefined
      ? { type: 'call-model', messages: state.messages, toolChoice: state.toolChoice }
      : { type: 'call-model', messages: state.messages, toolChoice: 'none', lastTurn: limit };
  return { state: limit === undefined ? state : { ...state, limit, isLastTurn: true }, effects: [effect] };
}

function afterTurn(before: RunState, input: Extract<RunInput, { type: 'turn' }>): Step {
  const { message, reason, usage } = input;
  const state = {
    ...before,
    steps: before.steps + 1,
    usage: addUsage(before.usage, usage),
    toolChoice: afterFirst(before),
  };
  const hasCalls = callsOf(message).length > 0;
  if (hasCalls && state.limit === undefined) return prepareCalls(state, message, reason === 'length');
  const answer = hasCalls ? withoutCalls(message) : message;
  const added = withMessages(state, answer);
  const append: RunEffect = { type: 'append', message: answer };
  if (state.isLastTurn) return finish(added, { status: 'limit', ...(state.limit && { limit: state.limit }) }, [append]);
  if (hasCalls || reason === 'pause') return prepend(append, nextTurn(added));
  return finish(added, endOf(input), [append]);
}

/** How a run ends with a turn that has no calls. */
function endOf({ reason, detail }: Extract<RunInput, { type: 'turn' }>): RunEnd {
  if (reason === 'length') return { status: 'limit', limit: 'output-tokens' };
  if (reason === 'error')
    return { status: 'error', error: { code: 'model_failed', message: detail ?? 'The model failed.' } };
  const isRefused = reason === 'refusal' || reason === 'content-filter';
  if (!isRefused) return { status: 'complete' };
  return { status: 'refused', error: { code: 'model_failed', message: detail ?? 'The model refused to answer.' } };
}

function prepend(effect: RunEffect, { state, effects }: Step): Step {
  return { state, effects: [effect, ...effects] };
}

/** A forced call is forced once: else the model could never answer. */
function afterFirst({ toolChoice }: RunState): RunState['toolChoice'] {
  return toolChoice === 'none' ? 'none' : 'auto';
}

function withoutCalls(message: Message): Message {
  const { origin, ...rest } = message;
  const parts = message.parts.filter((part) => part.type !== 'tool-call');
  return { ...rest, parts, ...(origin && { origin: { api: origin.api, model: origin.model } }) };
}

/** A turn that is cut off inside a call is asked for once more, through the call's own answer; twice is the limit. */
function prepareCalls(state: RunState, turn: Message, isCut: boolean): Step {
  const wasCutOff = isCut && callsOf(turn).some((call) => call.invalidInput !== undefined);
  if (wasCutOff && state.wasCutOff) {
    const answer = withoutCalls(turn);
    return finish(withMessages(state, answer), { status: 'limit', limit: 'output-tokens' }, [
      { type: 'append', message: answer },
    ]);
  }
  const calls = callsOf(turn).map((call): CallState => ({
    call,
    phase: 'preparing',
    effects: 'read',
    clientAnswers: false,
  }));
  return {
    state: { ...state, turn, calls, wasCutOff },
    effects: calls.map(({ call }) => ({
      type: 'prepare-call',
      call,
      wasCutOff: wasCutOff && call.invalidInput !== undefined,
    })),
  };
}

function afterFailedTurn(state: RunState, { problem, message }: Extract<RunInput, { type: 'turn-failed' }>): Step {
  const end: RunEnd = { status: 'error', error: problem };
  return message === undefined
    ? finish(state, end)
    : finish(withMessages(state, message), end, [{ type: 'append', message }]);
}

/** Once all calls of a turn are prepared, its message is stored with their input as it will run; then they begin. */
function afterPreparation(before: RunState, input: Extract<RunInput, { type: 'prepared' }>): Step {
  const { call, effects, clientAnswers, verdict } = input;
  const refusal = typeof verdict === 'object' ? verdict.result : undefined;
  const asks = verdict === 'ask' || (verdict === 'allow' && clientAnswers);
  const phase = refusal !== undefined ? 'running' : asks ? 'asking' : 'ready';
  const state = withCall(before, call.callId, { call, phase, effects, clientAnswers, ...(refusal && { refusal }) });
  return isPreparing(state) ? { state, effects: [] } : beginCalls(state);
}

function beginCalls(state: RunState): Step {
  const turn = withInputs(state.turn as Message, state.calls);
  const answers = state.calls.flatMap(({ call, phase, clientAnswers, refusal }): readonly RunEffect[] => {
    if (refusal !== undefined) return [{ type: 'settle-call', call, result: refusal }];
    return phase === 'asking' ? [{ type: 'ask', call, clientAnswers }] : [];
  });
  const next = schedule({ ...state, turn });
  return { ...next, effects: [{ type: 'append', message: turn }, ...answers, ...next.effects] };
}

function isPreparing({ calls }: Pick<RunState, 'calls'>): boolean {
  return calls.some((each) => each.phase === 'preparing');
}

function withInputs(turn: Message, calls: readonly CallState[]): Message {
  const byId = new Map(calls.map(({ call }) => [call.callId, call]));
  return {
    ...turn,
    parts: turn.parts.map((part) => (part.type === 'tool-call' ? (byId.get(part.callId) ?? part) : part)),
  };
}

function afterResult(before: RunState, { callId, message, result }: Extract<RunInput, { type: 'result' }>): Step {
  const { control, input } = result;
  const done = { ...withCall(before, callId, { phase: 'done', message }), ...(control && { control }) };
  const rewritten = input === undefined ? done : rewriteInput(done, callId, input);
  const appends = [...(input === undefined ? [] : [rewritten.turn as Message]), message];
  const next = schedule(rewritten);
  return {
    ...next,
    effects: [...appends.map((each): RunEffect => ({ type: 'append', message: each })), ...next.effects],
  };
}

/** What a tool made of its own input replaces the call in history. */
function rewriteInput(state: RunState, callId: string, input: ToolCallPart['input']): RunState {
  const calls = state.calls.map((each) =>
    each.call.callId === callId ? { ...each, call: { ...each.call, input } } : each,
  );
  return { ...state, calls, turn: withInputs(state.turn as Message, calls) };
}

/**
 * Begins the calls that may begin: reads run together, a call that changes something waits for all before it, and none
 * passes one that does. Once all are done, their results follow in call order, and the model is next.
 */
function schedule(state: RunState): Step {
  if (state.calls.length === 0 || isPreparing(state)) return ignore(state);
  if (state.calls.every((each) => each.phase === 'done')) return afterCalls(state);
  const starting: CallState[] = [];
  for (const [index, each] of state.calls.entries()) {
    const waitsFor = state.calls.slice(0, index).filter((earlier) => earlier.phase !== 'done');
    const isBlocked =
      each.effects === 'read' ? waitsFor.some((earlier) => earlier.effects !== 'read') : waitsFor.length > 0;
    if (each.phase === 'ready' && !isBlocked) starting.push(each);
  }
  const isWaiting = starting.length === 0 && state.calls.every((each) => each.phase !== 'running');
  if (state.stopping && isWaiting) return pause(state);
  const begun = starting.reduce((next, { call }) => withCall(next, call.callId, { phase: 'running' }), state);
  return { state: begun, effects: starting.map(({ call }) => ({ type: 'execute-call', call })) };
}

/** A stop while only questions are open ends the run with them. */
function pause(state: RunState): Step {
  const isInput = state.calls.some((each) => each.phase === 'asking' && each.clientAnswers);
  return finish(state, { status: isInput ? 'needs-input' : 'needs-approval' });
}

function afterCalls(state: RunState): Step {
  const { control } = state;
  if (control !== undefined) return finish(state, { status: 'complete', value: control.end.value });
  return state.stopping ? finish(state, { status: 'stopped' }) : nextTurn(withResults(state));
}

/** The turn and its results, in call order, become part of the history. Calls that have not begun leave nothing. */
function withResults({ turn, ...state }: RunState): RunState {
  if (turn === undefined || isPreparing(state)) return { ...state, calls: [] };
  const results = state.calls.flatMap(({ message }) => (message === undefined ? [] : [message]));
  return { ...withMessages(state, turn, ...results), calls: [] };
}

/** Time is over: what runs is cancelled, what waits does not begin; the second time, the run ends. */
function afterTime(state: RunState): Step {
  if (state.limit === 'time') return finish(state, { status: 'limit', limit: 'time' });
  const waiting = state.calls.filter((each) => each.phase === 'ready' || each.phase === 'asking');
  const settled = waiting.map(({ call }): RunEffect => {
    return {
      type: 'settle-call',
      call,
      result: failure('tool_cancelled', `Tool "${call.name}" was not run: the time of the run is over.`),
    };
  });
  const running = waiting.reduce((next, { call }) => withCall(next, call.callId, { phase: 'running' }), state);
  return { state: { ...running, limit: 'time' }, effects: [{ type: 'cancel-calls' }, ...settled] };
}

function withMessages<State extends RunState>(state: State, ...messages: readonly Message[]): State {
  return { ...state, messages: state.messages.concat(messages) };
}

function withCall(state: RunState, callId: string, change: Partial<CallState>): RunState {
  return { ...state, calls: state.calls.map((each) => (each.call.callId === callId ? { ...each, ...change } : each)) };
}

import { interruptedText } from '../../model/history.ts';
import { callsOf } from '../../model/message.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import type { QuestionKind } from '../../thread/question.ts';
import { cancelledText, failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { append, ignore, messageOf, prepend } from './ending.ts';
import { withDetached } from './pending.ts';
import type { CallingTurn, CallState, RunEffect, RunInput, RunState, Step } from './state.ts';

// What happens to the calls of a turn, from their preparation to their results. Each function gives the state and the
// effects of one event; `storeTurn` and `begin` (./begin.ts) then do what has become possible.

/** A call is complete while its turn is being streamed: it is prepared at once. */
export function addCall(state: RunState, { call, message }: Extract<RunInput, { type: 'call' }>): Step {
  const { calls = [], stored = 0 } = state.turn ?? {};
  const turn: CallingTurn = { message, calls: [...calls, preparing(call)], isOpen: true, stored };
  return { state: { ...state, turn }, effects: [{ type: 'prepare-call', call, wasCutOff: false }] };
}

/** How a turn is closed: which of its calls were cut off, and why those that are new do not run, where they do not. */
export interface Closing {
  readonly isCut: boolean;
  readonly why?: string | undefined;
}

/** A turn is whole: its calls that are not known yet are prepared. */
export function closeTurn(state: RunState, whole: Message, { isCut, why }: Closing): Step {
  const message = withoutRepeats(whole);
  const known = state.turn?.calls ?? []; // in the order of the message, from its beginning
  const effects: RunEffect[] = [];
  const wasCutOff = (call: ToolCallPart): boolean => isCut && call.invalidInput !== undefined;
  const calls = callsOf(message).map((call, index): CallState => {
    const at = known[index];
    const before = at?.call.callId === call.callId ? at : known.find((each) => each.call.callId === call.callId);
    if (before !== undefined) return before;
    if (why === undefined) {
      effects.push({ type: 'prepare-call', call, wasCutOff: wasCutOff(call) });
      return preparing(call);
    }
    const refusal = notRun(call, why);
    effects.push({ type: 'settle-call', call, result: refusal });
    return { ...preparing(call), phase: 'running', refusal };
  });
  const turn: CallingTurn = { message, calls, isOpen: false, stored: 0 };
  return { state: { ...state, turn, wasCutOff: calls.some(({ call }) => wasCutOff(call)) }, effects };
}

function preparing(call: ToolCallPart): CallState {
  return { call, phase: 'preparing', effects: 'read' };
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

/** A call is checked and judged: it is ready, asked about, or answered already. */
export function afterPreparation(state: RunState, input: Extract<RunInput, { type: 'prepared' }>): Step {
  const { call, effects, concurrency, verdict } = input;
  const known = { call, effects, ...(concurrency !== undefined && { concurrency }) };
  const stored = migratedTurn(state, call);
  if (verdict === 'allow') return prepend(stored, ignore(withCall(state, call.callId, { ...known, phase: 'ready' })));
  if ('ask' in verdict) return prepend(stored, ask(withCall(state, call.callId, known), call, verdict.ask));
  const refused = withCall(state, call.callId, { ...known, phase: 'running', refusal: verdict.result });
  return { state: refused, effects: [...stored, { type: 'settle-call', call, result: verdict.result }] };
}

/** A turn that was stored before is stored again if its call now has another input: that of today's version of its tool. */
function migratedTurn(state: RunState, call: ToolCallPart): readonly RunEffect[] {
  const { turn } = state;
  if (turn === undefined || turn.isOpen || turn.stored === 0) return nothing;
  const before = turn.calls.find((each) => each.call.callId === call.callId)?.call.input;
  return before === call.input ? nothing : [append(messageOf({ ...turn, calls: withInput(turn.calls, call) }))];
}

const nothing: readonly RunEffect[] = [];

function withInput(calls: readonly CallState[], call: ToolCallPart): readonly CallState[] {
  return calls.map((each) => (each.call.callId === call.callId ? { ...each, call } : each));
}

/** A call that was run again did not do what it had done: nobody but the user knows what is to become of it. */
export function afterDivergence(state: RunState, { callId }: Pick<CallState['call'], 'callId'>): Step {
  const diverged = state.turn?.calls.find(({ call, refusal }) => call.callId === callId && refusal === undefined);
  return diverged === undefined ? ignore(state) : ask(state, diverged.call, 'recovery');
}

/** The question about a call is stored. */
export function afterQuestion(state: RunState, { callId }: Pick<CallState['call'], 'callId'>): Step {
  return ignore(withCall(state, callId, { isAsked: true }));
}

function ask(state: RunState, call: ToolCallPart, question: QuestionKind): Step {
  const asking = withCall(state, call.callId, { phase: 'asking', question, isAsked: false });
  if (isUnattended(state)) return giveUp(asking, ['asking'], notApproved);
  return { state: asking, effects: [{ type: 'ask', call, question }] };
}

/** The user has turned to something else. */
function isUnattended({ hasMovedOn, isDismissed }: RunState): boolean {
  return hasMovedOn || isDismissed;
}

/** A call may run, perhaps with its input as the user changed it, which replaces the call in history. */
export function afterApproval(state: RunState, { callId, changed }: Extract<RunInput, { type: 'approved' }>): Step {
  if (changed === undefined) return ignore(withCall(state, callId, { phase: 'ready' }));
  const { call, effects } = changed;
  return rewrite(withCall(state, callId, { phase: 'ready', effects }), callId, () => call);
}

/** A call has its result. What a tool made of its own input replaces the call in history. */
export function afterResult(before: RunState, input: Extract<RunInput, { type: 'result' }>): Step {
  const { callId, message, result } = input;
  const control = result.control !== undefined && { control: result.control };
  const { turn } = before;
  const isStored = turn !== undefined && (turn.stored > 0 || turn.isOpen); // else it is stored with the turn
  const ended = withCall(before, callId, { phase: 'done', message, isStored, ...control });
  const state = result.detached === undefined ? ended : withDetached(ended, callId);
  const { input: own } = result;
  const rewritten = own === undefined ? ignore(state) : rewrite(state, callId, (call) => ({ ...call, input: own }));
  if (!isStored) return rewritten;
  return prepend(rewritten.effects, prependPartly(rewritten.state, [append(message)]));
}

function rewrite(before: RunState, callId: string, change: (call: ToolCallPart) => ToolCallPart): Step {
  const state = mapCalls(before, (each) => (each.call.callId === callId ? { ...each, call: change(each.call) } : each));
  const { turn } = state;
  return { state, effects: turn !== undefined && turn.stored > 0 ? [append(messageOf(turn))] : [] };
}

/** Effects that need the calls of an open turn to be stored: a message of the turn so far comes before them. */
export function prependPartly(state: RunState, effects: readonly RunEffect[]): Step {
  const { turn } = state;
  if (turn === undefined || !turn.isOpen || turn.stored === turn.calls.length) return { state, effects };
  const stored = { ...turn, stored: turn.calls.length };
  return prepend([append(messageOf(turn))], { state: { ...state, turn: stored }, effects });
}

/** Once all calls of a whole turn are prepared, its message is stored with their input as it runs, and the results that are there and not stored yet. */
export function storeTurn(step: Step): Step {
  const { turn } = step.state;
  if (turn === undefined || turn.isOpen || turn.stored > 0 || isPreparing(turn)) return step;
  const message = messageOf(turn);
  const effects = [append(message)];
  for (const each of turn.calls)
    if (each.isStored !== true && each.message !== undefined) effects.push(append(each.message));
  const state = { ...step.state, turn: { ...turn, message, stored: turn.calls.length } };
  return prepend(step.effects, { state, effects });
}

/** Why a call is not run. */
export const timeIsOver = 'the time of the run is over';

/** Answers the calls of these phases without running them, or without waiting for them any longer. */
export function giveUp(state: RunState, phases: readonly CallState['phase'][], why: string): Step {
  const isOpen = ({ phase, refusal }: CallState): boolean => phases.includes(phase) && refusal === undefined;
  const open = state.turn?.calls.filter(isOpen) ?? [];
  if (open.length === 0) return ignore(state);
  const effects: RunEffect[] = [];
  const next = mapCalls(state, (each) => {
    if (!open.includes(each)) return each;
    const refusal = answerTo(each, why);
    effects.push({ type: 'settle-call', call: each.call, result: refusal });
    return { ...each, phase: 'running', refusal };
  });
  return { state: next, effects };
}

/** Cancels one call: its tool is given up if it runs, and does not begin if it does not. */
export function cancelCall(state: RunState, { callId, reason }: Extract<RunInput, { type: 'cancel' }>): Step {
  const open = openCall(state, callId);
  if (open === undefined) return ignore(state);
  if (open.phase === 'running') return { state, effects: [{ type: 'cancel-call', callId, reason }] };
  const { call } = open;
  const refusal = cancelledByUser(call.name, { reason, began: open.question === 'recovery' ? 'before' : 'never' });
  const next = withCall(state, callId, { phase: 'running', refusal });
  return { state: next, effects: [{ type: 'settle-call', call, result: refusal }] };
}

/** A call that has no result yet, nor one on its way that says why it is not run. */
export function openCall({ turn }: RunState, callId: string): CallState | undefined {
  return turn?.calls.find(
    ({ call, phase, refusal }) => call.callId === callId && phase !== 'done' && refusal === undefined,
  );
}

function answerTo({ call, phase, question }: CallState, why: string): ToolResult {
  if (phase === 'running') return failure('tool_interrupted', cancelledText(call.name));
  const mayHaveRun = phase === 'asking' && question === 'recovery';
  return mayHaveRun ? failure('tool_interrupted', interruptedText) : notRun(call, why);
}

/** Why a call that waits for approval is not run. */
export const notApproved = 'the user did not approve it, and wrote a new message instead';

/** The answer to a call that does not run. */
export function notRun({ name }: Pick<ToolCallPart, 'name'>, why: string): ToolResult {
  return failure('tool_cancelled', `Tool "${name}" was not run: ${why}.`);
}

/** How far a call was that the user cancelled, and what it may have done: it began `before` an interruption, too. */
interface CancelledCall {
  readonly reason?: string | undefined;
  readonly began: 'never' | 'before' | 'reading' | 'changing';
}

/** The answer to a call that the user cancelled. */
export function cancelledByUser(name: string, { reason, began }: CancelledCall): ToolResult {
  const why = reason === undefined ? '' : `: ${reason.replace(/[.\s]+$/u, '')}`;
  const cancelled = `The user cancelled this call of "${name}"${began === 'never' ? ' before it began' : ''}${why}.`;
  return failure('tool_cancelled', `${cancelled} ${outcomes[began]}`);
}

const outcomes: Readonly<Record<CancelledCall['began'], string>> = {
  never: 'It was not run.',
  before: 'An earlier attempt was interrupted, and may have changed something: check that before you call it again.',
  reading: 'If it ends later, its result is discarded.',
  changing:
    'It may have changed something by then: check that before you call it again. If it ends later, its result is discarded.',
};

/** Whether some of the calls are not ready to begin. */
export function isPreparing({ calls }: CallingTurn): boolean {
  return calls.some(({ phase }) => phase === 'preparing');
}

/** How far a call of the turn under way is. */
export function phaseOf({ turn }: RunState, callId: string): CallState['phase'] | undefined {
  return turn?.calls.findLast(({ call }) => call.callId === callId)?.phase;
}

function withCall(state: RunState, callId: string, change: Partial<CallState>): RunState {
  const { turn } = state;
  const index = turn?.calls.findLastIndex(({ call }) => call.callId === callId) ?? -1; // mostly it is the last
  const before = turn?.calls[index];
  if (turn === undefined || before === undefined) return state;
  return { ...state, turn: { ...turn, calls: turn.calls.with(index, { ...before, ...change }) } };
}

/** The state with each call of its turn changed; the same object where none is. */
export function mapCalls(state: RunState, map: (each: CallState) => CallState): RunState {
  const { turn } = state;
  if (turn === undefined) return state;
  let calls: CallState[] | undefined;
  for (let index = 0; index < turn.calls.length; index++) {
    const before = turn.calls[index] as CallState;
    const each = map(before);
    if (each !== before) (calls ??= turn.calls.slice())[index] = each;
  }
  return calls === undefined ? state : { ...state, turn: { ...turn, calls } };
}

import { interruptedText } from '../../model/history.ts';
import type { JsonObject } from '../../base/json.ts';
import { callsOf } from '../../model/message.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import type { QuestionKind } from '../../thread/question.ts';
import { cancelledText, failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { append, messageOf } from './ending.ts';
import { addDetached } from './pending.ts';
import type { CallingTurn, CallState, Draft, RunInput, RunState } from './state.ts';

// Life of the calls of a turn, from their preparation to their results. Each function drafts the state and the effects
// of one event; `storeTurn`, and `begin` in `./begin-calls.ts`, then do everything that has become possible.

/** A call is complete while its turn is being streamed: it is prepared at once. */
export function addCall({ state, effects }: Draft, { call, message }: Extract<RunInput, { type: 'call' }>): void {
  const { calls = [], stored = 0 } = state.turn ?? {};
  state.turn = { message, calls: [...calls, preparing(call)], isOpen: true, stored };
  effects.push({ type: 'prepare-call', call, wasCutOff: false });
}

/** Closing of a turn: its truncated calls, and the reason why its new calls do not run, if they do not. */
export interface Closing {
  readonly isCut: boolean;
  readonly why?: string | undefined;
}

/** A turn is whole: its calls that are not known yet are prepared. */
export function closeTurn({ state, effects }: Draft, whole: Message, { isCut, why }: Closing): void {
  const message = withoutRepeats(whole);
  const known = state.turn?.calls ?? []; // in the order of the message, from its beginning
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
  state.turn = { message, calls, isOpen: false, stored: 0 };
  state.wasCutOff = isCut && calls.some(({ call }) => wasCutOff(call));
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
export function afterPreparation(draft: Draft, input: Extract<RunInput, { type: 'prepared' }>): void {
  const { call, effects, concurrency, verdict } = input;
  const known = concurrency === undefined ? { call, effects } : { call, effects, concurrency };
  storeMigrated(draft, call);
  if (verdict === 'allow') return changeCall(draft, call.callId, { ...known, phase: 'ready' });
  if ('ask' in verdict) {
    changeCall(draft, call.callId, known);
    return ask(draft, call, verdict.ask);
  }
  changeCall(draft, call.callId, { ...known, phase: 'running', refusal: verdict.result });
  draft.effects.push({ type: 'settle-call', call, result: verdict.result });
}

/** A turn that was stored before is stored again if its call now has another input: that of today's version of its tool. */
function storeMigrated(draft: Draft, call: ToolCallPart): void {
  const { turn } = draft.state;
  if (turn === undefined || turn.isOpen || turn.stored === 0) return;
  const before = turn.calls.find((each) => each.call.callId === call.callId)?.call.input;
  if (before !== call.input) append(draft, messageOf({ ...turn, calls: withInput(turn.calls, call) }));
}

function withInput(calls: readonly CallState[], call: ToolCallPart): readonly CallState[] {
  return calls.map((each) => (each.call.callId === call.callId ? { ...each, call } : each));
}

/** A replayed call did not do the same as before: only the user can decide about it. */
export function afterDivergence(draft: Draft, { callId }: Pick<CallState['call'], 'callId'>): void {
  const isIt = ({ call, refusal }: CallState): boolean => call.callId === callId && refusal === undefined;
  const diverged = draft.state.turn?.calls.find(isIt);
  if (diverged !== undefined) ask(draft, diverged.call, 'recovery');
}

/** The question about a call is stored. */
export function afterQuestion(draft: Draft, { callId }: Pick<CallState['call'], 'callId'>): void {
  changeCall(draft, callId, { isAsked: true });
}

function ask(draft: Draft, call: ToolCallPart, question: QuestionKind): void {
  changeCall(draft, call.callId, { phase: 'asking', question, isAsked: false });
  if (isUnattended(draft.state)) giveUp(draft, ['asking'], notApproved);
  else draft.effects.push({ type: 'ask', call, question });
}

/** The user has turned to something else. */
function isUnattended({ hasMovedOn, isDismissed }: RunState): boolean {
  return hasMovedOn || isDismissed;
}

/** A call may run, perhaps with its input as the user changed it, which replaces the call in history. */
export function afterApproval(draft: Draft, { callId, changed }: Extract<RunInput, { type: 'approved' }>): void {
  if (changed === undefined) return changeCall(draft, callId, { phase: 'ready' });
  changeCall(draft, callId, { phase: 'ready', ...changed });
  storeAgain(draft);
}

/** A call has its result. What a tool made of its own input replaces the call in history. */
export function afterResult(draft: Draft, input: Extract<RunInput, { type: 'result' }>): void {
  const { callId, message, result } = input;
  const { turn } = draft.state;
  const isStored = turn !== undefined && (turn.stored > 0 || turn.isOpen); // else it is stored with the turn
  const { control } = result;
  const ended = { phase: 'done', message, isStored } as const;
  changeCall(draft, callId, control === undefined ? ended : { ...ended, control });
  if (result.detached !== undefined) addDetached(draft, callId);
  if (result.input !== undefined) rewrite(draft, callId, result.input);
  if (!isStored) return;
  storePartly(draft);
  append(draft, message);
}

/** Each of them: of two calls with one id, the input is that of both. */
function rewrite(draft: Draft, callId: string, input: JsonObject): void {
  mapCalls(draft, (each) => (each.call.callId === callId ? { ...each, call: { ...each.call, input } } : each));
  storeAgain(draft);
}

/** Replaces the stored message of a turn. */
function storeAgain(draft: Draft): void {
  const { turn } = draft.state;
  if (turn !== undefined && turn.stored > 0) append(draft, messageOf(turn));
}

/** For effects that need the calls of an open turn to be stored: so is a message of the turn so far. */
export function storePartly(draft: Draft): void {
  const { turn } = draft.state;
  if (turn === undefined || !turn.isOpen || turn.stored === turn.calls.length) return;
  append(draft, messageOf(turn));
  draft.state.turn = { ...turn, stored: turn.calls.length };
}

/** Once all calls of a whole turn are prepared, its message is stored with their input as it runs, and the results that are there and not stored yet. */
export function storeTurn(draft: Draft): void {
  const { turn } = draft.state;
  if (turn === undefined || turn.isOpen || turn.stored > 0 || isPreparing(turn)) return;
  const message = messageOf(turn);
  append(draft, message);
  for (const each of turn.calls) if (each.isStored !== true && each.message !== undefined) append(draft, each.message);
  draft.state.turn = { ...turn, message, stored: turn.calls.length };
}

/** Reason why a call is not run. */
export const timeIsOver = 'the time of the run is over';

/** Answers the calls of these phases without running them, or without waiting for them any longer. */
export function giveUp(draft: Draft, phases: readonly CallState['phase'][], why: string): void {
  mapCalls(draft, (each) => {
    if (!phases.includes(each.phase) || each.refusal !== undefined) return each;
    const refusal = answerTo(each, why);
    draft.effects.push({ type: 'settle-call', call: each.call, result: refusal });
    return { ...each, phase: 'running', refusal };
  });
}

/** Cancels one call: aborts its tool if it runs, and otherwise prevents its start. */
export function cancelCall(draft: Draft, { callId, reason }: Extract<RunInput, { type: 'cancel' }>): void {
  const open = openCall(draft.state, callId);
  if (open === undefined) return;
  if (open.phase === 'running') return void draft.effects.push({ type: 'cancel-call', callId, reason });
  const { call } = open;
  const refusal = cancelledByUser(call.name, { reason, began: open.question === 'recovery' ? 'before' : 'never' });
  changeCall(draft, callId, { phase: 'running', refusal });
  draft.effects.push({ type: 'settle-call', call, result: refusal });
}

/** True for a call without a result, and without a pending reason why it is not run. */
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

/** Reason why a call that waits for approval is not run. */
export const notApproved = 'the user did not approve it, and wrote a new message instead';

/** The answer to a call that does not run. */
export function notRun({ name }: Pick<ToolCallPart, 'name'>, why: string): ToolResult {
  return failure('tool_cancelled', `Tool "${name}" was not run: ${why}.`);
}

/** Progress of a call that the user cancelled, and its possible effects: it began `before` an interruption, too. */
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

/** True if some of the calls are not ready to begin. */
export function isPreparing({ calls }: CallingTurn): boolean {
  return calls.some(isBeingPrepared);
}

function isBeingPrepared({ phase }: CallState): boolean {
  return phase === 'preparing';
}

/** Phase of a call of the current turn. */
export function phaseOf({ turn }: RunState, callId: string): CallState['phase'] | undefined {
  return turn?.calls[placeOf(turn, callId)]?.phase;
}

function changeCall({ state }: Draft, callId: string, change: Partial<CallState>): void {
  const { turn } = state;
  if (turn === undefined) return;
  const place = placeOf(turn, callId);
  const before = turn.calls[place];
  if (before !== undefined) state.turn = { ...turn, calls: turn.calls.with(place, { ...before, ...change }) };
}

/** The place of a call in its turn; -1 if there is none. Mostly it is the last. */
function placeOf({ calls }: CallingTurn, callId: string): number {
  let place = calls.length - 1;
  while (place >= 0 && calls[place]?.call.callId !== callId) place--;
  return place;
}

/** Changes each call of the turn, in call order. */
export function mapCalls({ state }: Draft, map: (each: CallState) => CallState): void {
  const { turn } = state;
  if (turn === undefined) return;
  let calls: CallState[] | undefined;
  for (let index = 0; index < turn.calls.length; index++) {
    const before = turn.calls[index] as CallState;
    const each = map(before);
    if (each !== before) (calls ??= turn.calls.slice())[index] = each;
  }
  if (calls !== undefined) state.turn = { ...turn, calls };
}

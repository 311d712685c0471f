import { withoutRepeats } from '../../model/arrangement.ts';
import { interruptedText } from '../../model/history.ts';
import { isOurCall } from '../../model/message.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import type { QuestionKind } from '../../thread/question.ts';
import { cancelledText, failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { newCall } from './draft.ts';
import type { Draft, DraftCall } from './draft.ts';
import { append, messageOf } from './ending.ts';
import { addDetached } from './pending.ts';
import type { CallingTurn, CallState, RunInput, RunState } from './state.ts';

// Life of the calls of a turn, from their preparation to their results. Each function drafts the state and the effects
// of one event; `storeTurn`, and `begin` in `./begin-calls.ts`, then do everything that has become possible.

/** A call is complete while its turn is being streamed: it is prepared at once. */
export function addCall({ state, effects }: Draft, { call, message }: Extract<RunInput, { type: 'call' }>): void {
  const { turn } = state;
  if (turn === undefined) state.turn = { message, calls: [newCall(call)], isOpen: true, stored: 0 };
  else {
    turn.message = message;
    turn.calls.push(newCall(call));
    turn.isOpen = true;
  }
  effects.push({ type: 'prepare-call', call, wasCutOff: false });
}

/** Closing of a turn: its truncated calls, and the reason why its new calls do not run, if they do not. */
export interface Closing {
  readonly isCut: boolean;
  readonly why?: string | undefined;
}

/** A turn is whole: its calls that are not known yet are prepared. */
export function closeTurn(draft: Draft, whole: Message, { isCut, why }: Closing): void {
  const { state, effects } = draft;
  const message = withoutRepeats(whole);
  const known = state.turn?.calls ?? []; // in the order of the message, from its beginning
  const calls: DraftCall[] = [];
  let wasCutOff = false;
  for (const call of message.parts) {
    if (!isOurCall(call)) continue;
    const at = known[calls.length];
    const before = at?.call.callId === call.callId ? at : known.find((each) => each.call.callId === call.callId);
    const each = before ?? newCall(call);
    calls.push(each);
    const isBroken = isCut && each.call.invalidInput !== undefined;
    wasCutOff ||= isBroken;
    if (before !== undefined) continue;
    if (why === undefined) effects.push({ type: 'prepare-call', call, wasCutOff: isBroken });
    else refuse(draft, each, notRun(call, why));
  }
  state.turn = { message, calls, isOpen: false, stored: 0 };
  state.wasCutOff = wasCutOff;
}

/** The answer to a call stands, and it will not run. */
function refuse({ effects }: Draft, each: DraftCall, refusal: ToolResult): void {
  each.phase = 'running';
  each.refusal = refusal;
  effects.push({ type: 'settle-call', call: each.call, result: refusal });
}

/** A call is checked and judged: it is ready, asked about, or answered already. */
export function afterPreparation(draft: Draft, each: DraftCall, input: Extract<RunInput, { type: 'prepared' }>): void {
  const { call, effects, concurrency, verdict } = input;
  const hasOtherInput = each.call.input !== call.input && draft.state.turn?.isOpen === false;
  each.call = call;
  each.effects = effects;
  each.concurrency = concurrency;
  if (hasOtherInput) storeAgain(draft); // its input is that of today's version of its tool
  if (verdict === 'allow') each.phase = 'ready';
  else if ('ask' in verdict) ask(draft, each, verdict.ask);
  else refuse(draft, each, verdict.result);
}

/** A replayed call did not do the same as before: only the user can decide about it. */
export function afterDivergence(draft: Draft, each: DraftCall): void {
  if (each.refusal === undefined) ask(draft, each, 'recovery');
}

/** The question about a call is stored. */
export function afterQuestion(_: Draft, each: DraftCall): void {
  each.isAsked = true;
}

function ask(draft: Draft, each: DraftCall, question: QuestionKind): void {
  each.phase = 'asking';
  each.question = question;
  each.isAsked = false;
  if (isUnattended(draft.state)) giveUp(draft, ['asking'], notApproved);
  else draft.effects.push({ type: 'ask', call: each.call, question });
}

/** The user has turned to something else. */
function isUnattended({ hasMovedOn, isDismissed }: RunState): boolean {
  return hasMovedOn || isDismissed;
}

/** A call may run, perhaps with its input as the user changed it, which replaces the call in history. */
export function afterApproval(
  draft: Draft,
  each: DraftCall,
  { changed }: Extract<RunInput, { type: 'approved' }>,
): void {
  each.phase = 'ready';
  if (changed === undefined) return;
  each.call = changed.call;
  each.effects = changed.effects;
  storeAgain(draft);
}

/** A call has its result. What a tool made of its own input replaces the call in history. */
export function afterResult(draft: Draft, each: DraftCall, input: Extract<RunInput, { type: 'result' }>): void {
  const { callId, message, result } = input;
  const { turn } = draft.state;
  const isStored = turn !== undefined && (turn.stored > 0 || turn.isOpen); // else it is stored with the turn
  each.phase = 'done';
  each.message = message;
  each.isStored = isStored;
  each.control = result.control;
  if (result.detached !== undefined) addDetached(draft, callId);
  if (result.input !== undefined) {
    each.call = { ...each.call, input: result.input };
    storeAgain(draft);
  }
  if (!isStored) return;
  storePartly(draft);
  append(draft, message);
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
  turn.stored = turn.calls.length;
}

/** Once all calls of a whole turn are prepared, its message is stored with their input as it runs, and the results that are there and not stored yet. */
export function storeTurn(draft: Draft): void {
  const { turn } = draft.state;
  if (turn === undefined || turn.isOpen || turn.stored > 0 || isPreparing(turn)) return;
  turn.message = messageOf(turn);
  turn.stored = turn.calls.length;
  append(draft, turn.message);
  for (const { message, isStored } of turn.calls) if (!isStored && message !== undefined) append(draft, message);
}

/** Reason why a call is not run. */
export const timeIsOver = 'the time of the run is over';

/** Answers the calls of these phases without running them, or without waiting for them any longer. */
export function giveUp(draft: Draft, phases: readonly CallState['phase'][], why: string): void {
  for (const each of draft.state.turn?.calls ?? [])
    if (phases.includes(each.phase) && each.refusal === undefined) refuse(draft, each, answerTo(each, why));
}

/** Cancels one call: aborts its tool if it runs, and otherwise prevents its start. */
export function cancelCall(draft: Draft, { callId, reason }: Extract<RunInput, { type: 'cancel' }>): void {
  const open = callIn(draft, callId);
  if (open === undefined || !isOpen(open)) return;
  if (open.phase === 'running') return void draft.effects.push({ type: 'cancel-call', callId, reason });
  const began = open.question === 'recovery' ? 'before' : 'never';
  refuse(draft, open, cancelledByUser(open.call.name, { reason, began }));
}

/** True for a call of the current turn without a result, and without a pending reason why it is not run. */
export function isCallOpen({ turn }: RunState, callId: string): boolean {
  return turn?.calls.some((each) => each.call.callId === callId && isOpen(each)) ?? false;
}

function isOpen({ phase, refusal }: CallState): boolean {
  return phase !== 'done' && refusal === undefined;
}

/** The answer to a call whose outcome is unknown. */
export const interrupted = failure('tool_interrupted', interruptedText);

function answerTo({ call, phase, question }: CallState, why: string): ToolResult {
  if (phase === 'running') return failure('tool_interrupted', cancelledText(call.name));
  const mayHaveRun = phase === 'asking' && question === 'recovery';
  return mayHaveRun ? interrupted : notRun(call, why);
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

/** A call of the current turn. Mostly it is the last. */
export function callIn({ state }: Draft, callId: string): DraftCall | undefined {
  return state.turn?.calls.findLast(({ call }) => call.callId === callId);
}

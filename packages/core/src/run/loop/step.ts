import type { Message } from '../../model/message.ts';
import { addUsage } from '../../model/add-usage.ts';
import { afterTurn, lastEnd, mayCall } from './after-turn.ts';
import { begin } from './begin-calls.ts';
import {
  addCall,
  cancelCall,
  afterDivergence,
  afterQuestion,
  afterApproval,
  afterPreparation,
  afterResult,
  closeTurn,
  giveUp,
  callIn,
  isPreparing,
  notApproved,
  storePartly,
  storeTurn,
  timeIsOver,
} from './calls.ts';
import { afterLateResult, afterRest, isResting, rest } from './detached.ts';
import { addTurn, endAfter, finish, finishHalf } from './ending.ts';
import { repeatedTurns } from './limits.ts';
import { afterLimit, isAskingLimit, nextTurn, outOfBounds, reopen } from './next-turn.ts';
import { isDue, retry } from './retries.ts';
import { draftOf } from './draft.ts';
import type { Draft, DraftCall } from './draft.ts';
import type { CallState, RunEnd, RunInput, RunState, Step, TurnFailed } from './state.ts';

/**
 * The next step of a run: a pure function of its state and an event. Drivers perform the effects, and feed their
 * results back in. After the end, nothing more happens, unless it is reopened (`reopen`).
 */
export function step(before: RunState, input: RunInput): Step {
  const draft: Draft = { state: draftOf(before), effects: [], reads: 0 };
  advance(draft, input);
  const { state, effects } = draft;
  return { state, effects };
}

/** The same for the owner of a state: changes it in place, and adds the effects. */
export function advance(draft: Draft, input: RunInput): void {
  const react = draft.state.end === undefined ? reactions[input.type] : input.type === 'reopen' ? reopened : ignore;
  (react as (draft: Draft, input: RunInput) => void)(draft, input); // its own, by its type
}

type Of<Type extends RunInput['type']> = Extract<RunInput, { readonly type: Type }>;
type Reactions = { readonly [Type in RunInput['type']]: (draft: Draft, input: Of<Type>) => void };

const ignore = (): void => undefined;
const reopened = (draft: Draft, { messages }: Of<'reopen'>): void => reopen(draft, messages);

const reactions: Reactions = {
  begin: start,
  reopen: ignore,
  abort: (draft, { message }) => endNow(draft, message, { status: 'aborted' }),
  failed: (draft, { problem }) => finish(draft, endAfter(problem)),
  'time-over': afterTime,

  // A turn of the model: store a part of it, complete it, or ask for it again.
  draft: storeDraft,
  store: storePartly,
  turn(draft, input) {
    const { turn } = draft.state;
    if (turn !== undefined && !turn.isOpen) return;
    afterTurn(draft, input);
    goOn(draft);
  },
  'turn-failed': afterFailedTurn,
  'retry-due'(draft, { failed }) {
    if (isDue(draft.state, failed)) nextTurn(draft);
  },

  // A call: too late for it, or about none that there is, it changes nothing.
  call(draft, input) {
    if (callIn(draft, input.call.callId) === undefined && mayCall(draft.state)) addCall(draft, input);
    goOn(draft);
  },
  prepared: inPhase<Of<'prepared'>>('preparing', afterPreparation),
  asked: inPhase<Of<'asked'>>('asking', afterQuestion),
  approved: inPhase<Of<'approved'>>('asking', afterApproval),
  diverged: inPhase<Of<'diverged'>>('running', afterDivergence),
  result: inPhase<Of<'result'>>('asking running', afterResult),
  cancel(draft, input) {
    cancelCall(draft, input);
    goOn(draft);
  },

  // In the background, and in runs inside.
  'late-result': afterLateResult,
  'rest-over': afterRest,
  spent({ state }, { usage }) {
    state.usage = addUsage(state.usage, usage);
  },

  // Messages and silence of the user, and limits that the user sets.
  send,
  dismiss(draft) {
    draft.state.isDismissed = true;
    giveUp(draft, ['asking'], notApproved);
    goOn(draft);
  },
  'limit-reached': (draft, { limit }) => outOfBounds(draft, limit),
  'limit-answered': (draft, { goesOn }) => afterLimit(draft, goesOn),
  park(draft, { isDue, suspended }) {
    draft.state.isParking = isDue;
    draft.state.suspended = suspended;
    goOn(draft);
  },
  stop,
};

/** Handles an event of a call in the given phases, and ignores it in others. */
function inPhase<Input extends Of<'prepared' | 'asked' | 'approved' | 'diverged' | 'result'>>(
  phases: string,
  react: (draft: Draft, each: DraftCall, input: Input) => void,
): (draft: Draft, input: Input) => void {
  return (draft, input) => {
    const { callId } = 'call' in input ? input.call : input;
    const each = callIn(draft, callId);
    if (each !== undefined && phases.includes(each.phase)) react(draft, each, input);
    goOn(draft);
  };
}

/** Once a call has begun, the earlier parts are stored with it instead. */
function storeDraft({ state, effects }: Draft, { message }: Of<'draft'>): void {
  if (state.turn === undefined) effects.push({ type: 'append', message, isDraft: true });
}

/** A run that resumes after an interruption begins with the calls that have no result. */
function start(draft: Draft): void {
  const { turn, messages, waiting } = draft.state;
  if (turn !== undefined) {
    for (const { call, phase } of turn.calls)
      if (phase === 'preparing') draft.effects.push({ type: 'prepare-call', call, wasCutOff: false });
    return goOn(draft);
  }
  const last = messages.at(-1);
  const isAnswered = last?.role === 'assistant' && last.incomplete === undefined;
  if (!isAnswered || waiting.length > 0) nextTurn(draft);
  else if (!rest(draft)) finish(draft, { status: 'complete' });
}

/** The user wrote something, and may have moved on from the open questions. */
function send(draft: Draft, { message, keepsQuestions = false }: Of<'send'>): void {
  const { state } = draft;
  state.waiting = [...state.waiting, message];
  if (isResting(state)) return nextTurn(draft);
  if (!keepsQuestions) {
    state.hasMovedOn = true;
    giveUp(draft, ['asking'], notApproved);
  }
  goOn(draft);
}

/** Current calls are finished first; a question at a limit is not waited for. */
function stop(draft: Draft): void {
  const stopped: RunEnd = { status: 'stopped' };
  if (isResting(draft.state)) return finish(draft, stopped);
  if (isWaiting(draft.state)) return finishHalf(draft, stopped);
  draft.state.isStopping = true;
  goOn(draft);
}

/** True if nothing is running: the user is being asked, or a failed turn is retried in a while. */
function isWaiting(state: RunState): boolean {
  return state.isRetrying || isAskingLimit(state);
}

/** Maximum number of times that a prompt is shortened because it was too long. */
const mostShrink = 3;

/** A turn ended early. Waits for calls that had begun, so that their effects are neither lost nor repeated. */
function afterFailedTurn(draft: Draft, failed: TurnFailed): void {
  const { state } = draft;
  const { problem, message } = failed;
  const ending: RunEnd = { status: 'error', error: problem };
  if (state.turn !== undefined) {
    state.ending = ending;
    return breakOff(draft, message, ['preparing', 'asking', 'ready']);
  }
  const isTooLong = message === undefined && problem.code === 'prompt_too_long' && state.shrink < mostShrink;
  if (isTooLong) {
    state.shrink++;
    return nextTurn(draft);
  }
  if (!retry(draft, failed)) finishHalf(draft, ending, message);
}

/** Ends the current turn with its parts so far, and the run with it; cancels its calls in these phases. */
function breakOff(draft: Draft, message: Message | undefined, phases: readonly CallState['phase'][]): void {
  const { turn, ending } = draft.state;
  const why = whyOf[ending?.status ?? 'error'] ?? 'the answer of the model ended early';
  if (turn?.isOpen === true) closeTurn(draft, message ?? turn.message, { isCut: false, why });
  giveUp(draft, phases, why);
  goOn(draft);
}

const whyOf: { readonly [Status in RunEnd['status']]?: string } = { aborted: 'the run was aborted', limit: timeIsOver };

/** After an event of the calls: the next ones begin; once all are done, their results go to the model. */
function goOn(draft: Draft): void {
  storeTurn(draft);
  const { turn } = draft.state;
  if (turn === undefined || (isPreparing(turn) && !turn.isOpen)) return;
  if (!turn.isOpen && turn.calls.every(isDone)) return afterCalls(draft);
  begin(draft);
  if (isLeft(draft.state)) pause(draft);
}

function isDone({ phase }: CallState): boolean {
  return phase === 'done';
}

/** True if the run must not wait, and everything left of its turn is waiting for answers. */
function isLeft({ turn, isStopping, isParking, suspended, waiting }: RunState): boolean {
  const isDue = isParking && waiting.length === 0;
  if (turn === undefined || turn.isOpen || !(isStopping || isDue)) return false;
  const waits = ({ phase, isAsked, call }: CallState): boolean => {
    if (phase === 'running') return isDue && suspended.includes(call.callId);
    return phase !== 'asking' || isAsked;
  };
  return turn.calls.every(waits);
}

/** True if everything left of a turn is waiting for answers. `isAsked`: the question about a call is still open. */
export function onlyWaits(
  state: RunState,
  suspended: readonly string[],
  isAsked: (callId: string) => boolean,
): boolean {
  const calls = state.turn?.calls ?? [];
  const asks = calls.filter(({ phase }) => phase === 'asking');
  return isLeft({ ...state, isParking: true, suspended }) && asks.every(({ call }) => isAsked(call.callId));
}

function afterCalls(draft: Draft): void {
  const { state } = draft;
  const { ending, isLastTurn, limit, turn } = state;
  const control = turn?.calls.find((each) => each.control !== undefined)?.control; // the first, in call order
  if (ending !== undefined) return finish(draft, ending);
  if (control !== undefined) {
    const { value } = control.end;
    const isLimited = isLastTurn && limit !== undefined;
    return finish(draft, isLimited ? { status: 'limit', limit, value } : { status: 'complete', value });
  }
  if (state.isStopping) return finish(draft, { status: 'stopped' });
  if (isLastTurn) return finish(draft, lastEnd(state, { status: 'complete' }));
  state.isParking = false;
  state.suspended = [];
  state.repeatedTurns = repeatedTurns(state);
  addTurn(draft);
  nextTurn(draft);
}

/** The run ends with its questions open: it was stopped, or has waited long enough. */
function pause(draft: Draft): void {
  const { turn, suspended } = draft.state;
  const isInput = turn?.calls.some(({ phase, question }) => phase === 'asking' && question === 'input') ?? false;
  draft.effects.push({ type: 'leave-calls', callIds: suspended });
  finish(draft, { status: isInput ? 'needs-input' : 'needs-approval' });
}

/** Time is over: running calls are cancelled, and waiting calls do not begin; the second time, the run ends. */
function afterTime(draft: Draft, { message }: Of<'time-over'>): void {
  const { state } = draft;
  const { limit = 'time' } = state;
  if (state.isTimeOver) return endNow(draft, message, { status: 'limit', limit });
  if (isResting(state)) return finish(draft, { status: 'limit', limit }); // the model has answered
  const wasWaiting = isWaiting(state);
  state.isTimeOver = true;
  state.limit = limit;
  if (wasWaiting) return nextTurn(draft);
  draft.effects.push({ type: 'cancel-calls' });
  giveUp(draft, ['preparing', 'ready', 'asking'], timeIsOver);
  goOn(draft);
}

/** Ends at once: every call is answered, whatever its tool does; the parts of a turn so far are kept. */
function endNow(draft: Draft, message: Message | undefined, ending: RunEnd): void {
  if (draft.state.turn === undefined) return finishHalf(draft, ending, message);
  draft.state.ending = ending;
  breakOff(draft, message, ['preparing', 'asking', 'ready', 'running']);
}

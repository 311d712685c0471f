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
  isPreparing,
  notApproved,
  phaseOf,
  storePartly,
  storeTurn,
  timeIsOver,
} from './calls.ts';
import { afterLateResult, afterRest, isResting, rest } from './detached.ts';
import { addTurn, endAfter, finish, finishHalf } from './ending.ts';
import { repeatedTurns } from './limits.ts';
import { afterLimit, isAskingLimit, nextTurn, outOfBounds, reopen } from './next-turn.ts';
import { isDue, retry } from './retries.ts';
import type { CallState, Draft, RunEffect, RunEnd, RunInput, RunState, Step, TurnFailed } from './state.ts';

/**
 * What happens next in a run: a pure function of its state and of what happened. Drivers perform the effects, and feed
 * what comes of them back in. After the end, nothing more happens, unless it is taken back (`reopen`).
 */
export function step(before: RunState, input: RunInput): Step {
  const draft: Draft = { state: { ...before }, effects: [] };
  const react = before.end === undefined ? reactions[input.type] : input.type === 'reopen' ? reopened : ignore;
  (react as (draft: Draft, input: RunInput) => void)(draft, input); // its own, by its type
  return draft;
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

  // A turn of the model: a part of it is to be stored, it is over, or is asked for again.
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
    if (phaseOf(draft.state, input.call.callId) === undefined && mayCall(draft.state)) addCall(draft, input);
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

  // What the user says or does not say, and the limits that are theirs.
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

/** What happens to a call in some phases, and in no other. */
function inPhase<Input extends Of<'prepared' | 'asked' | 'approved' | 'diverged' | 'result'>>(
  phases: string,
  react: (draft: Draft, input: Input) => void,
): (draft: Draft, input: Input) => void {
  return (draft, input) => {
    const { callId } = 'call' in input ? input.call : input;
    const phase = phaseOf(draft.state, callId);
    if (phase !== undefined && phases.includes(phase)) react(draft, input);
    goOn(draft);
  };
}

/** Once a call has begun, what came before it is stored with it instead. */
function storeDraft({ state, effects }: Draft, { message }: Of<'draft'>): void {
  if (state.turn === undefined) effects.push({ type: 'append', message, isDraft: true });
}

/** A run that goes on after an interruption begins with the calls that have no result. */
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

/** The user wrote something, and with it perhaps turned to something else than what is asked. */
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

/** What is under way is finished first; what the user is asked at a limit is not. */
function stop(draft: Draft): void {
  const stopped: RunEnd = { status: 'stopped' };
  if (isResting(draft.state)) return finish(draft, stopped);
  if (isWaiting(draft.state)) return finishHalf(draft, stopped);
  draft.state.isStopping = true;
  goOn(draft);
}

/** Whether nothing is under way: the user is asked, or a failed turn is asked for again in a while. */
function isWaiting(state: RunState): boolean {
  return state.isRetrying || isAskingLimit(state);
}

/** How often a prompt that was too long is made shorter. */
const mostShrink = 3;

/** A turn broke off. Calls that had begun are waited for: what they did is not lost, and not done again. */
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

/** The turn under way ends here, as far as it came, and the run with it; its calls of these phases are given up. */
function breakOff(draft: Draft, message: Message | undefined, phases: readonly CallState['phase'][]): void {
  const { turn, ending } = draft.state;
  const why = whyOf[ending?.status ?? 'error'] ?? 'the answer of the model broke off';
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
  readsFirst(draft);
  if (isLeft(draft.state)) pause(draft);
}

function isDone({ phase }: CallState): boolean {
  return phase === 'done';
}

/** Whether the run is not to wait, and all that is left of its turn is waiting for answers. */
function isLeft({ turn, isStopping, isParking, suspended, waiting }: RunState): boolean {
  const isDue = isParking && waiting.length === 0;
  if (turn === undefined || turn.isOpen || !(isStopping || isDue)) return false;
  const waits = ({ phase, isAsked = false, call }: CallState): boolean => {
    if (phase === 'running') return isDue && suspended.includes(call.callId);
    return phase !== 'asking' || isAsked;
  };
  return turn.calls.every(waits);
}

/** Whether all that is left of a turn is waiting for answers. `isAsked`: the question about a call waits still. */
export function onlyWaits(
  state: RunState,
  suspended: readonly string[],
  isAsked: (callId: string) => boolean,
): boolean {
  const calls = state.turn?.calls ?? [];
  const asks = calls.filter(({ phase }) => phase === 'asking');
  return isLeft({ ...state, isParking: true, suspended }) && asks.every(({ call }) => isAsked(call.callId));
}

/** Reads begin before anything is stored: they leave nothing behind that would have to be known later. */
function readsFirst({ state, effects }: Draft): void {
  if (effects.length < 2 || !effects.some(({ type }) => type === 'execute-call')) return;
  const reads = new Set(state.turn?.calls.filter((each) => each.effects === 'read').map(({ call }) => call));
  const isRead = (effect: RunEffect): boolean => effect.type === 'execute-call' && reads.has(effect.call);
  effects.splice(0, Infinity, ...effects.filter(isRead), ...effects.filter((effect) => !isRead(effect)));
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

/** Time is over: what runs is cancelled, what waits does not begin; the second time, the run ends. */
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

/** At once: every call is answered, whatever its tool does; a turn of the model is kept as far as it came. */
function endNow(draft: Draft, message: Message | undefined, ending: RunEnd): void {
  if (draft.state.turn === undefined) return finishHalf(draft, ending, message);
  draft.state.ending = ending;
  breakOff(draft, message, ['preparing', 'asking', 'ready', 'running']);
}

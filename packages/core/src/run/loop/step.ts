import type { Message } from '../../model/message.ts';
import { addUsage } from '../../model/add-usage.ts';
import { afterTurn, lastEnd, mayCall } from './after-turn.ts';
import { begin } from './begin.ts';
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
  prependPartly,
  storeTurn,
  timeIsOver,
} from './calls.ts';
import { afterLateResult, afterRest, isResting, rest } from './detached.ts';
import { draft, endAfter, finish, finishHalf, ignore, prepend, withTurn } from './ending.ts';
import { repeatedTurns } from './limits.ts';
import { afterLimit, isAskingLimit, nextTurn, outOfBounds, reopen } from './next-turn.ts';
import { isDue, retry } from './retries.ts';
import type { CallState, RunEffect, RunEnd, RunInput, RunState, Step, TurnFailed } from './state.ts';

/**
 * What happens next in a run: a pure function of its state and of what happened. Drivers perform the effects, and feed
 * what comes of them back in. After the end, nothing more happens, unless it is taken back (`reopen`).
 */
export function step(state: RunState, input: RunInput): Step {
  if (state.end !== undefined) return input.type === 'reopen' ? reopen(state, input.messages) : ignore(state);
  const react = reactions[input.type] as (state: RunState, input: RunInput) => Step; // its own, by its type
  return react(state, input);
}

type Of<Type extends RunInput['type']> = Extract<RunInput, { readonly type: Type }>;
type Reactions = { readonly [Type in RunInput['type']]: (state: RunState, input: Of<Type>) => Step };

const reactions: Reactions = {
  begin: start,
  reopen: ignore,
  abort: (state, { message }) => endNow(state, message, { status: 'aborted' }),
  failed: (state, { problem }) => finish(state, endAfter(problem)),
  'time-over': afterTime,

  // A turn of the model: a part of it is to be stored, it is over, or is asked for again.
  draft: (state, { message }) => (state.turn === undefined ? { state, effects: [draft(message)] } : ignore(state)),
  store: (state) => prependPartly(state, []),
  turn: (state, input) =>
    state.turn === undefined || state.turn.isOpen ? goOn(afterTurn(state, input)) : ignore(state),
  'turn-failed': afterFailedTurn,
  'retry-due': (state, { failed }) => (isDue(state, failed) ? nextTurn(state) : ignore(state)),

  // A call: too late for it, or about none that there is, it changes nothing.
  call: (state, input) =>
    goOn(phaseOf(state, input.call.callId) === undefined && mayCall(state) ? addCall(state, input) : ignore(state)),
  prepared: inPhase<Of<'prepared'>>('preparing', afterPreparation),
  asked: inPhase<Of<'asked'>>('asking', afterQuestion),
  approved: inPhase<Of<'approved'>>('asking', afterApproval),
  diverged: inPhase<Of<'diverged'>>('running', afterDivergence),
  result: inPhase<Of<'result'>>('asking running', afterResult),
  cancel: (state, input) => goOn(cancelCall(state, input)),

  // In the background, and in runs inside.
  'late-result': afterLateResult,
  'rest-over': afterRest,
  spent: (state, { usage }) => ignore({ ...state, usage: addUsage(state.usage, usage) }),

  // What the user says or does not say, and the limits that are theirs.
  send,
  dismiss: (state) => goOn(giveUp({ ...state, isDismissed: true }, ['asking'], notApproved)),
  'limit-reached': (state, { limit }) => outOfBounds(state, limit),
  'limit-answered': (state, { goesOn }) => afterLimit(state, goesOn),
  park: (state, { isDue, suspended }) => goOn(ignore({ ...state, isParking: isDue, suspended })),
  stop,
};

/** What happens to a call in some phases, and in no other. */
function inPhase<Input extends Of<'prepared' | 'asked' | 'approved' | 'diverged' | 'result'>>(
  phases: string,
  react: (state: RunState, input: Input) => Step,
): (state: RunState, input: Input) => Step {
  return (state, input) => {
    const { callId } = 'call' in input ? input.call : input;
    const phase = phaseOf(state, callId);
    return goOn(phase !== undefined && phases.includes(phase) ? react(state, input) : ignore(state));
  };
}

/** A run that goes on after an interruption begins with the calls that have no result. */
function start(state: RunState): Step {
  const { turn, messages, waiting } = state;
  if (turn !== undefined) {
    const open = turn.calls.filter(({ phase }) => phase === 'preparing');
    return goOn({ state, effects: open.map(({ call }) => ({ type: 'prepare-call', call, wasCutOff: false })) });
  }
  const last = messages.at(-1);
  const isAnswered = last?.role === 'assistant' && last.incomplete === undefined;
  if (!isAnswered || waiting.length > 0) return nextTurn(state);
  return rest(state) ?? finish(state, { status: 'complete' });
}

/** The user wrote something, and with it perhaps turned to something else than what is asked. */
function send(state: RunState, { message, keepsQuestions = false }: Extract<RunInput, { type: 'send' }>): Step {
  const next = { ...state, waiting: [...state.waiting, message] };
  if (isResting(state)) return nextTurn(next);
  return goOn(keepsQuestions ? ignore(next) : giveUp({ ...next, hasMovedOn: true }, ['asking'], notApproved));
}

/** What is under way is finished first; what the user is asked at a limit is not. */
function stop(state: RunState): Step {
  const stopped: RunEnd = { status: 'stopped' };
  if (isResting(state)) return finish(state, stopped);
  return isWaiting(state) ? finishHalf(state, stopped) : goOn(ignore({ ...state, isStopping: true }));
}

/** Whether nothing is under way: the user is asked, or a failed turn is asked for again in a while. */
function isWaiting(state: RunState): boolean {
  return state.isRetrying || isAskingLimit(state);
}

/** How often a prompt that was too long is made shorter. */
const mostShrink = 3;

/** A turn broke off. Calls that had begun are waited for: what they did is not lost, and not done again. */
function afterFailedTurn(state: RunState, failed: TurnFailed): Step {
  const { problem, message } = failed;
  const ending: RunEnd = { status: 'error', error: problem };
  if (state.turn !== undefined) return breakOff({ ...state, ending }, message, ['preparing', 'asking', 'ready']);
  const isTooLong = message === undefined && problem.code === 'prompt_too_long' && state.shrink < mostShrink;
  if (isTooLong) return nextTurn({ ...state, shrink: state.shrink + 1 });
  return retry(state, failed) ?? finishHalf(state, ending, message);
}

/** The turn under way ends here, as far as it came, and the run with it; its calls of these phases are given up. */
function breakOff(state: RunState, message: Message | undefined, phases: Parameters<typeof giveUp>[1]): Step {
  const { turn, ending } = state;
  const why = whyOf[ending?.status ?? 'error'] ?? 'the answer of the model broke off';
  const isOpen = turn?.isOpen === true;
  const closed = isOpen ? closeTurn(state, message ?? turn.message, { isCut: false, why }) : ignore(state);
  return goOn(prepend(closed.effects, giveUp(closed.state, phases, why)));
}

const whyOf: { readonly [Status in RunEnd['status']]?: string } = { aborted: 'the run was aborted', limit: timeIsOver };

/** After an event of the calls: the next ones begin; once all are done, their results go to the model. */
function goOn(event: Step): Step {
  const stored = storeTurn(event);
  const { turn } = stored.state;
  if (turn === undefined || (isPreparing(turn) && !turn.isOpen)) return stored;
  if (!turn.isOpen && turn.calls.every(({ phase }) => phase === 'done'))
    return prepend(stored.effects, afterCalls(stored.state));
  const next = readsFirst(begin(stored));
  return isLeft(next.state) ? prepend(next.effects, pause(next.state)) : next;
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
function readsFirst({ state, effects }: Step): Step {
  if (effects.length < 2 || !effects.some(({ type }) => type === 'execute-call')) return { state, effects };
  const reads = new Set(state.turn?.calls.filter((each) => each.effects === 'read').map(({ call }) => call));
  const isRead = (effect: RunEffect): boolean => effect.type === 'execute-call' && reads.has(effect.call);
  return { state, effects: [...effects.filter(isRead), ...effects.filter((effect) => !isRead(effect))] };
}

function afterCalls(state: RunState): Step {
  const { ending, isLastTurn, limit } = state;
  const control = state.turn?.calls.find((each) => each.control !== undefined)?.control; // the first, in call order
  if (ending !== undefined) return finish(state, ending);
  if (control !== undefined) {
    const { value } = control.end;
    return finish(
      state,
      isLastTurn && limit !== undefined ? { status: 'limit', limit, value } : { status: 'complete', value },
    );
  }
  if (state.isStopping) return finish(state, { status: 'stopped' });
  if (isLastTurn) return finish(state, lastEnd(state, { status: 'complete' }));
  return nextTurn(withTurn({ ...state, isParking: false, suspended: [], repeatedTurns: repeatedTurns(state) }));
}

/** The run ends with its questions open: it was stopped, or has waited long enough. */
function pause(state: RunState): Step {
  const isInput = state.turn?.calls.some(({ phase, question }) => phase === 'asking' && question === 'input') ?? false;
  const left: RunEffect = { type: 'leave-calls', callIds: state.suspended };
  return prepend([left], finish(state, { status: isInput ? 'needs-input' : 'needs-approval' }));
}

/** Time is over: what runs is cancelled, what waits does not begin; the second time, the run ends. */
function afterTime(state: RunState, { message }: Extract<RunInput, { type: 'time-over' }>): Step {
  const limit = state.limit ?? 'time';
  if (state.isTimeOver) return endNow(state, message, { status: 'limit', limit });
  if (isResting(state)) return finish(state, { status: 'limit', limit }); // the model has answered
  if (isWaiting(state)) return nextTurn({ ...state, isTimeOver: true, limit });
  const over = giveUp({ ...state, isTimeOver: true, limit }, ['preparing', 'ready', 'asking'], timeIsOver);
  return goOn(prepend([{ type: 'cancel-calls' }], over));
}

/** At once: every call is answered, whatever its tool does; a turn of the model is kept as far as it came. */
function endNow(state: RunState, message: Message | undefined, ending: RunEnd): Step {
  if (state.turn !== undefined)
    return breakOff({ ...state, ending }, message, ['preparing', 'asking', 'ready', 'running']);
  return finishHalf(state, ending, message);
}

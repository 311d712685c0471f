import { isPromise } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import { isUtensilError, messageOf } from '../../base/errors.ts';
import { draftOf } from './draft.ts';
import type { Draft } from './draft.ts';
import type { RunEffect, RunEnd, RunInput, RunState } from './state.ts';
import type { ToolCallPart } from '../../model/message.ts';
import type { RunProblem } from '../../tool/run-result.ts';
import { endAfter } from './ending.ts';
import { advance } from './step.ts';

/** The effects of one type. */
type Of<Type extends RunEffect['type']> = Extract<RunEffect, { readonly type: Type }>;

/**
 * Performs the effects of {@link advance}: each with the method named after its type. Results are fed back in, at once or
 * when they come; an error ends the run.
 */
export interface EffectHandler {
  'call-model'(effect: Of<'call-model'>): Eventually<RunInput>;
  'retry-turn'(effect: Of<'retry-turn'>): Eventually<RunInput>;
  /** Undefined if the run was aborted meanwhile. */
  'prepare-call'(effect: Of<'prepare-call'>): Eventually<RunInput | undefined>;
  'execute-call'(effect: Of<'execute-call'>): Eventually<RunInput>;
  'settle-call'(effect: Of<'settle-call'>): Eventually<RunInput>;
  /** Asks the user; undefined if nobody answers, or the answer comes in through {@link Driver.feed}. */
  ask(effect: Of<'ask'>): Eventually<RunInput | undefined>;
  /** Called when the run only waits for background calls. */
  rest(): void;
  'cancel-calls'(): void;
  'cancel-call'(effect: Of<'cancel-call'>): void;
  /** Awaited before the run ends: the outcomes of its calls are stored, and no call continues here. */
  'leave-calls'(effect: Of<'leave-calls'>): Promise<void>;
  /** Asks whether the run goes on beyond a limit. */
  'ask-limit'(effect: Of<'ask-limit'>): Eventually<RunInput>;
  /**
   * Stores messages in one commit, with the beginning of `next`: the call that is executed right after them. Awaited
   * before any later effect if it returns a promise.
   */
  append(messages: readonly Of<'append'>[], next?: ToolCallPart): Promise<void> | void;
  /** Calls back in a moment, unless the returned function is called before. Absent: nothing is gained by storing later. */
  soon?(then: () => void): () => void;
  /** The run is over; `state.end` says how. */
  end(state: RunState): void;
}

/** Effects that produce an input. */
type Work = Of<'ask' | 'ask-limit' | 'call-model' | 'retry-turn' | 'prepare-call' | 'execute-call' | 'settle-call'>;

/** Maximum number of effects behind which the next one is kept. */
const mostPerformed = 100;

/** A running loop. */
export interface Driver {
  /** Feeds in outside events: answers, stop, abort, the end of the time. Ignored after the effect `end`. */
  feed(input: RunInput): void;
  /** The current state, which changes with each input. */
  state(): RunState;
}

/**
 * Drives a run from its state to its end: the only loop there is. `rested` is called when there is nothing left to do
 * for now.
 */
export function drive(initial: RunState, handler: EffectHandler, rested?: () => void): Driver {
  let next: RunInput | undefined;
  let later: RunInput[] = []; // behind the next input: mostly there is none
  const state = draftOf(initial); // changed in place, as a copy for each input would cost more than the step
  let effects: (RunEffect | undefined)[] = []; // of this step, behind those that were performed: a new array for each would cost more
  let draft = draftWith(effects);
  let performed = 0;
  let pumping = false;
  let isOver = false;
  let held: readonly Of<'append'>[] = []; // messages that are stored together
  let isDue = false; // now
  let keep: (() => void) | undefined; // them from being stored in a moment

  function feed(input: RunInput): void {
    if (isOver) return;
    if (next === undefined) next = input;
    else later.push(input);
    if (!pumping) pump();
  }

  /**
   * Takes one input after the other and performs its effects, until there are no more or an effect must be waited for.
   */
  function pump(): void {
    pumping = true;
    while (performed < effects.length || isDue || next !== undefined) {
      try {
        const pending = goOn();
        if (pending !== undefined) return void pending.then(pump, leaveStep);
      } catch (error) {
        fail(error);
      }
    }
    pumping = false;
    rested?.();
  }

  /** The next effect, or the next input. */
  function goOn(): Promise<void> | void {
    const effect = effects[performed];
    if (effect !== undefined) {
      effects[performed++] = undefined; // what it has is not kept
      return perform(effect);
    }
    if (isDue) return store();
    const input = next as RunInput;
    next = later.shift();
    if (performed > mostPerformed) clear();
    draft.reads = performed;
    advance(draft, input);
    isDue = input.type === 'store';
  }

  function clear(): void {
    effects = [];
    draft = draftWith(effects);
    performed = 0;
  }

  /** A step puts its effects behind those that were performed, which it does not read. */
  function draftWith(effects: (RunEffect | undefined)[]): Draft {
    return { state, effects: effects as RunEffect[], reads: 0 };
  }

  /** Messages that follow are stored in the same commit; while calls only read, so are messages that follow shortly. */
  function append(effect: Of<'append'>): Promise<void> | void {
    held = held.length === 0 ? [effect] : [...held, effect];
    if (effects[performed]?.type === 'append') return;
    if (handler.soon === undefined || !onlyReads(state)) return store();
    keep ??= handler.soon(() => {
      isDue = true;
      if (!pumping) pump();
    });
  }

  function store(): Promise<void> | void {
    const messages = held;
    held = [];
    isDue = false;
    keep?.();
    keep = undefined;
    const following = effects[performed];
    if (messages.length > 0)
      return handler.append(messages, following?.type === 'execute-call' ? following.call : undefined);
  }

  /** True if an effect may be performed before the earlier messages are stored. */
  function mayPass(effect: RunEffect): boolean {
    if (effect.type === 'execute-call') return onlyReads(state);
    return effect.type === 'append' || effect.type === 'prepare-call';
  }

  function leaveStep(error: unknown): void {
    fail(error);
    pump();
  }

  /**
   * A message could not be stored. If that was the last thing to do, the run ends with it all the same; if an abort is
   * waiting, that comes first: it brings what was streamed.
   */
  function fail(error: unknown): void {
    clear(); // those behind it are not performed
    const problem = problemOf(error);
    if (state.end !== undefined) {
      state.end = failedEnd(state.end, problem);
      return end();
    }
    const inputs = queued();
    const abort = problem.code === 'aborted' ? inputs.findIndex(({ type }) => type === 'abort') : -1;
    const [first = { type: 'failed', problem } as const] = inputs.splice(abort, abort < 0 ? 0 : 1);
    queue([first, ...inputs]);
  }

  function queued(): RunInput[] {
    return next === undefined ? [] : [next, ...later];
  }

  function queue(inputs: readonly RunInput[]): void {
    [next, ...later] = inputs;
  }

  /** The end, unless the user has sent something meanwhile. */
  function end(): void {
    const inputs = queued();
    const messages = inputs.flatMap((input) => (input.type === 'send' ? input.message : []));
    if (messages.length > 0)
      return queue([{ type: 'reopen', messages }, ...inputs.filter(({ type }) => type !== 'send')]);
    isOver = true;
    queue([]);
    handler.end(state);
  }

  function perform(effect: RunEffect): Promise<void> | void {
    if (held.length > 0 && !mayPass(effect)) {
      effects[--performed] = effect; // its turn comes again
      return store();
    }
    switch (effect.type) {
      case 'append':
        return append(effect);
      case 'end':
        return end();
      case 'rest':
      case 'cancel-calls':
      case 'cancel-call':
      case 'leave-calls':
        return handler[effect.type](effect as never);
      default:
        return follow(effect);
    }
  }

  /** Begins some work, and feeds in its result when it arrives. */
  function follow(effect: Work): void {
    try {
      const input = handler[effect.type](effect as never);
      if (isPromise(input)) input.then(happened, failed);
      else happened(input);
    } catch (error) {
      failed(error);
    }
  }

  function happened(input: RunInput | undefined): void {
    if (input !== undefined) feed(input);
  }

  function failed(error: unknown): void {
    feed({ type: 'failed', problem: problemOf(error) });
  }

  feed({ type: 'begin' });
  return { feed, state: () => state };
}

/** True if the current turn can be repeated without loss: none of its calls changes anything, or is asked about. */
function onlyReads({ turn }: RunState): boolean {
  return turn?.calls.every(({ effects, phase }) => effects === 'read' && phase !== 'asking') ?? false;
}

/** The end of a run whose last message could not be stored. */
function failedEnd(end: RunEnd, problem: RunProblem): RunEnd {
  const failed = endAfter(problem);
  return end.status === 'aborted' ? { ...failed, status: 'aborted' } : { ...end, ...failed };
}

/** An error as events and results carry it. An error that is not ours is `run_failed` with its message. */
export function problemOf(error: unknown): RunProblem {
  return { code: isUtensilError(error) ? error.code : 'run_failed', message: messageOf(error) };
}

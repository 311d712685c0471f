import { isUtensilError, messageOf, UtensilError } from '../../base/errors.ts';
import { isTooDeep } from '../../base/json.ts';
import { renameCall } from '../../model/message.ts';
import type { Model, ModelPart, ModelRequest, ToolCall } from '../../model/model.ts';
import { problemOf } from '../loop/drive.ts';
import type { Environment } from '../../base/environment.ts';
import type { RunThread } from '../run-thread.ts';
import type { Patience } from './patience.ts';
import { isTooLong } from './retry-wait.ts';
import { boundInput } from '../../model/tool-input.ts';
import { noUsage } from '../../model/usage.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import { withCost } from '../loop/limits.ts';
import type { RunInput, TurnFailed } from '../loop/state.ts';
import { isFromOutside, taintBy } from '../taint.ts';
import type { Taint } from '../taint.ts';
import { addPart, isEmpty, toMessage } from './turn.ts';
import type { Turn } from './turn.ts';

/** The model that is asked for turns, and the listeners. */
export interface TurnSetup {
  readonly toolset: Pick<Toolset, 'nameOf'>;
  readonly taint: Taint;
  readonly thread: RunThread | undefined;
  readonly environment: Pick<Environment, 'now'>;
  emit(body: RunEventBody): void;
  /** Takes what happens before the turn is over: calls that are complete. */
  feed(input: RunInput): void;
  /** With streams that stay open once they have said that they are over. */
  readonly patience: Patience;
}

/** A turn that is asked of the model. */
export interface Asked {
  readonly model: Model;
  readonly request: ModelRequest;
  /** From 1. */
  readonly step: number;
  readonly turn: Turn;
  /** Calls begin while the turn is still being streamed. */
  readonly isEager: boolean;
  /** If it ends early after calls that have begun, the run may continue with their results. */
  readonly mayGoOn: boolean;
  /** Another model is asked if this one fails. */
  readonly hasFallback: boolean;
  /** Its own, not the run's: what a provider leaves on a signal would stay there for as long as the run takes. */
  readonly controller: AbortController;
  /** Nothing more is taken of it. */
  isAborted: boolean;
  /** Time at which its parts so far are stored next; Infinity: they are not. */
  draftAt: number;
}

/** In milliseconds: the maximum part of a streamed answer that is lost when its program ends. */
const draftMs = 1_000;

/** Asks the model for a turn, reports its parts, and returns its outcome. Never throws. */
export async function streamTurn(setup: TurnSetup, asked: Asked): Promise<RunInput> {
  if (setup.thread !== undefined) asked.draftAt = setup.environment.now() + draftMs;
  try {
    for await (const part of asked.model.stream(asked.request, { signal: asked.controller.signal })) {
      if (asked.isAborted) break;
      if (asked.turn.finish === undefined) take(setup, asked, part); // else it is read to its end: a stream that is left breaks its connection
    }
  } catch (error) {
    if (!asked.isAborted && asked.turn.finish === undefined) return afterFailure(setup, asked, error);
  } finally {
    setup.patience.wait(undefined);
  }
  return asked.isAborted ? { type: 'abort' } : afterStream(setup, asked);
}

/**
 * Takes a part of the turn: reports it, and begins its call. Separate from the loop, since each call of an async function
 * allocates all its local variables.
 */
function take(setup: TurnSetup, asked: Asked, part: ModelPart): void {
  const { emit, feed, environment } = setup;
  const { turn } = asked;
  const added = addPart(turn, received(part, setup.toolset));
  if (added.type === 'finish') return setup.patience.wait(asked.controller);
  emit(added);
  if (isFromOutside(added)) taintBy(setup.taint, sourceIn(added));
  if (asked.isEager && added.type === 'tool-call' && isReady(added))
    feed({ type: 'call', call: added, message: toMessage(turn) });
  if (asked.draftAt === Infinity || environment.now() < asked.draftAt) return;
  feed({ type: 'draft', message: toMessage(turn) });
  asked.draftAt = environment.now() + draftMs;
}

/** The outcome of a stream that was read to its end. */
function afterStream(setup: TurnSetup, asked: Asked): RunInput {
  const { turn, step } = asked;
  const { finish } = turn;
  if (finish === undefined) return afterFailure(setup, asked, truncated());
  const { reason, detail } = finish;
  const usage = withCost(finish.usage, asked.model.info);
  if (usage !== finish.usage) turn.finish = { ...finish, usage };
  setup.emit({ type: 'step-end', step, reason, usage });
  return { type: 'turn', message: toMessage(turn), reason, usage, ...(detail !== undefined && { detail }) };
}

function sourceIn(part: ModelPart): string {
  return part.type === 'source'
    ? part.url
    : part.type === 'tool-call' || part.type === 'provider-result'
      ? part.name
      : 'a hook';
}

/** A part as the run takes it: arguments have a bounded depth, and a call that we are to run has its tool's own name. */
function received(part: ModelPart, { nameOf }: Pick<Toolset, 'nameOf'>): ModelPart {
  if (part.type !== 'tool-call') return part;
  const call = isTooDeep(part.input) ? { ...part, ...boundInput(part.input) } : part;
  return call.executedBy === 'us' ? renameCall(call, nameOf(call.name)) : call;
}

/**
 * True if a call can begin before its turn is over. One with arguments that are not JSON may turn out to be truncated.
 */
function isReady({ executedBy, invalidInput }: ToolCall): boolean {
  return executedBy === 'us' && invalidInput === undefined;
}

function truncated(): UtensilError {
  const message = 'The model stopped in the middle of its answer. Try again.';
  return new UtensilError('stream_truncated', message, { retryable: true });
}

/** A turn that ended early after a call that has begun is not repeated: the run continues with the results. */
function afterFailure({ emit }: TurnSetup, asked: Asked, error: unknown): RunInput {
  const { turn, step, isEager, mayGoOn, hasFallback } = asked;
  const failed = failedTurn(turn, error);
  const { problem, message, isPassing } = failed;
  const calls = turn.parts.filter((part): part is ToolCall => part.type === 'tool-call');
  const goesOn = mayGoOn && (isPassing || hasFallback);
  if (message !== undefined && goesOn && isEager && calls.some(isReady)) {
    emit({ type: 'error', error: problem });
    emit({ type: 'step-end', step, reason: 'error', usage: noUsage });
    return { type: 'turn', message, reason: 'error', usage: noUsage, detail: problem.message };
  }
  const isTaken = (call: ToolCall): boolean => isEager && isReady(call); // it may be under way
  for (const call of calls) if (!isTaken(call)) turn.callIds.delete(call.callId); // the next attempt may use them
  return failed;
}

/** Keeps the parts before the failure. */
function failedTurn(turn: Turn, error: unknown): TurnFailed {
  const isOurs = isUtensilError(error);
  const { retryable = false, retryAfterMs } = isOurs ? error : {};
  return {
    type: 'turn-failed',
    problem: isOurs ? problemOf(error) : { code: 'model_failed', message: messageOf(error) },
    isPassing: retryable && !isTooLong(retryAfterMs),
    ...(!isEmpty(turn) && { message: toMessage(turn) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

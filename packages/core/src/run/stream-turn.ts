import type { Environment } from '../environment.ts';
import { isUtensilError, messageOf, UtensilError } from '../errors.ts';
import type { Model, ModelRequest } from '../model.ts';
import { problemOf } from './drive.ts';
import type { RunEventBody } from './events.ts';
import type { RunInput } from './state.ts';
import { addPart, isEmpty, toMessage } from './turn.ts';
import type { Turn } from './turn.ts';

/** Whom a turn is asked of, and who is told. */
export interface TurnSetup {
  readonly model: Model;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  emit(body: RunEventBody): void;
}

/** A turn that is to be streamed. */
export interface Streaming {
  readonly turn: Turn;
  /** From 1. */
  readonly step: number;
  /** As the signal says it, without asking it for every part. */
  isAborted(): boolean;
}

/** Asks the model for a turn, tells what comes, and gives what came of it. Never throws. */
export async function streamTurn(
  { model, environment, emit, signal }: TurnSetup,
  request: ModelRequest,
  { turn, step, isAborted }: Streaming,
): Promise<RunInput> {
  if (signal.aborted) return { type: 'abort' };
  try {
    for await (const part of model.stream(request, { signal })) {
      if (isAborted()) return { type: 'abort' };
      if (turn.finish !== undefined) continue; // read to its end: a stream that is left breaks its connection
      const added = addPart(turn, part);
      if (added.type !== 'finish') emit(added);
    }
  } catch (error) {
    if (signal.aborted) return { type: 'abort' };
    if (turn.finish === undefined) return failedTurn(turn, environment, error);
  }
  const { finish } = turn;
  if (finish === undefined) return signal.aborted ? { type: 'abort' } : failedTurn(turn, environment, truncated());
  const { reason, usage, detail } = finish;
  emit({ type: 'step-end', step, reason, usage });
  const message = toMessage(turn, environment.id(), environment.now());
  return { type: 'turn', message, reason, usage, ...(detail !== undefined && { detail }) };
}

function truncated(): UtensilError {
  const message = 'The model stopped in the middle of its answer. Try again.';
  return new UtensilError('stream_truncated', message, { retryable: true });
}

/** What came before the failure is kept. */
function failedTurn(turn: Turn, { id, now }: Environment, error: unknown): RunInput {
  const problem = isUtensilError(error)
    ? problemOf(error)
    : ({ code: 'model_failed', message: messageOf(error) } as const);
  if (isEmpty(turn)) return { type: 'turn-failed', problem };
  return { type: 'turn-failed', problem, message: toMessage(turn, id(), now()) };
}

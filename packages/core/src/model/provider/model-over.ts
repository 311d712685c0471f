import { UtensilError, isUtensilError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { abortedError } from '../aborted-error.ts';
import type { Model, ModelPart, ModelRequest } from '../model.ts';
import { plainRequests } from './plain-request.ts';
import type { Phase } from './classify.ts';
import type { TurnReader, Wire } from './wire.ts';

/**
 * Creates a model over a wire format: it streams turns, ends aborted, truncated and abandoned ones, and turns every
 * failure into an error for people.
 */
export function modelOver<Event, Client = undefined>(wire: Wire<Event, Client>): Model {
  const toPlain = plainRequests();
  return {
    info: wire.info,
    stream: (request, { signal }) => ({ [Symbol.asyncIterator]: () => iterate({ wire, toPlain }, request, signal) }),
  };
}

/** State of a turn needed for error handling. */
interface Attempt {
  readonly signal: AbortSignal;
  phase: Phase;
  apiKey: unknown;
}

/** An open response, and its reader. */
interface Answer<Event> {
  readonly reader: TurnReader<Event>;
  readonly events: AsyncIterator<Event>;
}

/** Iterates over the parts of a turn. Written by hand, because a generator allocates several promises per part. */
function iterate<Event, Client>(
  { wire, toPlain }: { readonly wire: Wire<Event, Client>; readonly toPlain: ReturnType<typeof plainRequests> },
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterator<ModelPart> {
  const attempt: Attempt = { signal, phase: 'connecting', apiKey: wire.apiKey };
  let ending: Ending | undefined;
  let answer: Answer<Event> | undefined;
  let parts: readonly ModelPart[] = [];
  let taken = 0;
  let isOver = false;
  let isRead = false; // to the end of its stream

  async function open(): Promise<Answer<Event>> {
    signal.throwIfAborted();
    const reader = wire.reader(request);
    ending = endingWith(signal);
    const client = (await wire.connect?.()) as Client;
    attempt.apiKey ??= isObject(client) ? client['apiKey'] : undefined;
    attempt.phase = 'asking';
    const stream = await wire.open(await toPlain(request), { client, signal: ending.signal });
    attempt.phase = 'answering';
    return { reader, events: stream[Symbol.asyncIterator]() };
  }

  async function finish(reader: TurnReader<Event>): Promise<void> {
    isOver = true;
    const progress = reader.progress();
    if (progress !== 'whole') throw (await import('./failed-turn.ts')).cutError(progress, wire);
    parts = await reader.end();
    taken = 0;
  }

  async function close(): Promise<void> {
    isOver = true;
    taken = parts.length;
    try {
      await answer?.events.return?.();
    } finally {
      ending?.end();
    }
  }

  async function fail(thrown: unknown): Promise<never> {
    await close().catch(() => undefined); // the first failure is reported
    throw await errorFrom(thrown, wire, attempt);
  }

  async function next(): Promise<IteratorResult<ModelPart>> {
    try {
      while (taken === parts.length && !isOver) {
        answer ??= await open();
        const { done, value } = await answer.events.next();
        if (done === true) {
          isRead = true;
          await finish(answer.reader);
        } else {
          parts = answer.reader.read(value);
          taken = 0;
        }
      }
      if (taken === parts.length) return end();
      signal.throwIfAborted(); // an abort does not wait for parts already received
      return { done: false, value: parts[taken++] as ModelPart };
    } catch (thrown) {
      return recover(thrown);
    }
  }

  /** Continues if the answer is complete and only the connection ended abnormally. */
  async function recover(thrown: unknown): Promise<IteratorResult<ModelPart>> {
    try {
      if (answer === undefined || signal.aborted || isOver || answer.reader.progress() !== 'whole') throw thrown;
      await finish(answer.reader);
    } catch (error) {
      return fail(error);
    }
    return next();
  }

  function end(): IteratorReturnResult<undefined> {
    ending?.end(isRead);
    return { done: true, value: undefined };
  }

  return {
    next,
    async return() {
      await close();
      return end();
    },
  };
}

/** Converts a thrown value to our error. The texts of failures are loaded on the first failure. */
async function errorFrom<Event, Client>(
  thrown: unknown,
  wire: Wire<Event, Client>,
  { signal, phase, apiKey }: Attempt,
): Promise<UtensilError> {
  const { info, words, classifyError } = wire;
  if (signal.aborted) return abortedError(info.id, signal);
  if (isUtensilError(thrown)) return thrown;
  try {
    const { classifiedError } = await import('./failed-turn.ts');
    return classifiedError(thrown, await classifyError(thrown, phase), { modelId: info.id, words, apiKey });
  } catch {
    // Without a network, neither a classifier nor texts can be loaded.
    const message = `The server of ${info.id} could not be reached. Check the network and ${words['address']}, then try again.`;
    return new UtensilError('model_unreachable', message, { retryable: true });
  }
}

/** A signal that fires with another one. */
interface Ending {
  readonly signal: AbortSignal;
  /** Fires it, unless the stream was read to its end: SDKs take a while to handle that. */
  end(isRead?: boolean): void;
}

const over = 'The turn is over.'; // the default reason is an error object, which is slow to create

/** Some SDKs leave an unused connection open; {@link Ending} closes it. */
function endingWith(outer: AbortSignal): Ending {
  const controller = new AbortController();
  const forward = (): void => controller.abort(outer.reason);
  outer.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    end(isRead) {
      outer.removeEventListener('abort', forward);
      if (isRead !== true) controller.abort(over);
    },
  };
}

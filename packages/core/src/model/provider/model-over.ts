import { UtensilError, isUtensilError } from '../../base/errors.ts';
import type { Eventually } from '../../base/eventually.ts';
import { isObject } from '../../base/json.ts';
import { abortedError } from '../aborted-error.ts';
import type { Model, ModelInfo, ModelPart, ModelRequest } from '../model.ts';
import { plainRequests } from './plain-request.ts';
import type { ErrorClassifier, Phase, ClassifiedError } from './classify.ts';

/** Reads the events of one turn. */
export interface TurnReader<Event = unknown> {
  /** The parts that an event brings. Throws what the vendor reports in it. */
  read(event: Event): readonly ModelPart[];
  /** `begun` once there is an answer, `whole` if nothing more is expected: how the connection then ends does not matter. */
  progress(): 'none' | 'begun' | 'whole';
  /** The parts that stand at the end of a whole answer. */
  end(): Eventually<readonly ModelPart[]>;
}

/** The parts of an adapter that depend on the wire format: requests, readers of answers, and the meaning of errors. */
export interface Wire<Event, Client = undefined> {
  readonly info: ModelInfo;
  /** Words for the braces in texts of failures: where the `{key}` is set, and the `{address}`. */
  readonly words: Readonly<Record<string, string>>;
  /** Redacted from every error. Default: the `apiKey` of the client. */
  readonly apiKey?: unknown;
  /** Makes or brings a client. Default: there is none, as over `fetch`. */
  connect?(): Eventually<Client>;
  /** Sends a request, in which the schema of each tool is one object: unions are merged, and told in its description. `signal` fires with that of the turn, and also when the turn is over. */
  open(
    request: ModelRequest,
    context: { readonly client: Client; readonly signal: AbortSignal },
  ): PromiseLike<AsyncIterable<Event>>;
  /** A reader for the answer to one request. */
  reader(request: ModelRequest): TurnReader<Event>;
  /** Classifies a thrown value. A provider that is small for its users loads this with the first failure. */
  readonly classifyError: ErrorClassifier<Eventually<ClassifiedError>>;
}

/**
 * A model over a wire format: it streams turns, ends them when they are aborted, broken off or left early, and makes
 * an error for people of whatever goes wrong.
 */
export function modelOver<Event, Client = undefined>(wire: Wire<Event, Client>): Model {
  const toPlain = plainRequests();
  return {
    info: wire.info,
    stream: (request, { signal }) => ({ [Symbol.asyncIterator]: () => iterate({ wire, toPlain }, request, signal) }),
  };
}

/** State of a turn that error handling needs. */
interface Attempt {
  readonly signal: AbortSignal;
  phase: Phase;
  apiKey: unknown;
}

/** An open answer, and its reader. */
interface Answer<Event> {
  readonly reader: TurnReader<Event>;
  readonly events: AsyncIterator<Event>;
}

/** The parts of a turn. An iterator by hand: a generator's keeps several promises for each part. */
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
    if (progress !== 'whole') throw await cutError(wire, progress);
    parts = await reader.end();
    taken = 0;
  }

  async function close(): Promise<void> {
    isOver = true;
    parts = [];
    taken = 0;
    try {
      await answer?.events.return?.();
    } finally {
      ending?.end();
    }
  }

  async function fail(thrown: unknown): Promise<never> {
    await close().catch(() => undefined); // what went wrong first is told
    throw await errorFrom(thrown, wire, attempt);
  }

  async function next(): Promise<IteratorResult<ModelPart>> {
    try {
      while (taken === parts.length && !isOver) {
        answer ??= await open();
        const { done, value } = await answer.events.next();
        if (done === true) await finish(answer.reader);
        else {
          parts = answer.reader.read(value);
          taken = 0;
        }
      }
      if (taken === parts.length) return end();
      signal.throwIfAborted(); // what had come already does not hold an abort up
      return { done: false, value: parts[taken++] as ModelPart };
    } catch (thrown) {
      return recover(thrown);
    }
  }

  /** Goes on if the answer is whole, and only the end of its connection was not in order. */
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
    ending?.end();
    return { done: true, value: undefined };
  }

  return {
    next,
    async return() {
      await close();
      return { done: true, value: undefined };
    },
  };
}

/** The stream ended, but the answer had not. */
async function cutError({ info, words }: Named, progress: 'none' | 'begun'): Promise<UtensilError> {
  const failures = await import('./turn-error.ts');
  return failures.cutError(progress, { modelId: info.id, words });
}

type Named = Pick<Wire<never>, 'info' | 'words'>;

/** An error of ours from whatever was thrown. The texts of failures are loaded with the first of them. */
async function errorFrom<Event, Client>(
  thrown: unknown,
  wire: Wire<Event, Client>,
  { signal, phase, apiKey }: Attempt,
): Promise<UtensilError> {
  const { info, words, classifyError } = wire;
  if (signal.aborted) return abortedError(info.id, signal);
  if (isUtensilError(thrown)) return thrown;
  try {
    const { classifiedError } = await import('./turn-error.ts');
    return classifiedError(thrown, await classifyError(thrown, phase), { modelId: info.id, words, apiKey });
  } catch {
    return nothingLoads(wire);
  }
}

/** Without a network, neither a classifier nor texts can be loaded. */
function nothingLoads({ info, words }: Named): UtensilError {
  const message = `The server of ${info.id} could not be reached. Check the network and ${words['address']}, then try again.`;
  return new UtensilError('model_unreachable', message, { retryable: true });
}

/** A signal that fires with another one, and at the latest when its turn is over. */
interface Ending {
  readonly signal: AbortSignal;
  end(): void;
}

const over = 'The turn is over.'; // an error of its own, as by default, takes long to make

/** Some SDKs leave an unused connection open: {@link Ending} closes it. */
function endingWith(outer: AbortSignal): Ending {
  const controller = new AbortController();
  const forward = (): void => controller.abort(outer.reason);
  outer.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    end() {
      outer.removeEventListener('abort', forward);
      controller.abort(over);
    },
  };
}

import { UtensilError } from '@utensil/core';
import type { Fetch, Ollama } from 'ollama/browser';
import { type Subject, refusedError, reportedError, truncatedError, unreachableError } from './errors.ts';
import { checkedLines } from './lines.ts';

/** Where Ollama listens, unless it is told otherwise. */
export const defaultBaseURL = 'http://127.0.0.1:11434';

/** How the official SDK, the package `ollama`, reaches its server. */
export interface OllamaConnection {
  /** Default: {@link defaultBaseURL}. */
  readonly baseURL?: string;
  /** For ollama.com, and for servers behind a proxy that asks for one. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the platform. */
  readonly fetch?: Fetch;
  /** How often to ask again where the server is busy (429, 502, 503, 504, 529) or a model could not be loaded. Default 2. */
  readonly maxRetries?: number;
}

/** What a request is made for. */
export interface Purpose {
  readonly subject: Subject;
  readonly signal: AbortSignal;
  /** Called for each line of an answer, before the SDK reads it. */
  readonly onLine?: () => void;
}

/** A client of the official SDK for one request, with what it lacks: a signal, retries, and a judgement on each line. */
export async function connect(connection: OllamaConnection, purpose: Purpose): Promise<Ollama> {
  const { Ollama } = await import('ollama/browser').catch((cause: unknown) => {
    throw new UtensilError('model_failed', 'The package `ollama` cannot be loaded: npm install ollama.', { cause });
  });
  const { apiKey, headers } = connection;
  return new Ollama({
    host: purpose.subject.baseURL,
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    fetch: carefulFetch(connection, purpose),
  });
}

const nothing = (): void => undefined;

function carefulFetch({ fetch: given = fetch, maxRetries = 2 }: OllamaConnection, purpose: Purpose): Fetch {
  const { subject, signal, onLine = nothing } = purpose;
  return async function ask(input, init) {
    for (let retries = 0; ; retries++) {
      const response = await given(input, { ...init, signal }).catch((cause: unknown) => {
        throw unreachableError(subject, cause);
      });
      if (response.ok)
        return String(input).endsWith('/api/chat') ? withCheckedLines(response, subject, onLine) : response;
      const said = await response.text();
      const wait = retries < maxRetries && isPassing(response, said) ? waitBefore(response, retries) : undefined;
      if (wait === undefined) throw refusedError(subject, response.status, said);
      await pause(wait, signal);
    }
  };
}

function withCheckedLines({ body, status, headers }: Response, subject: Subject, onLine: () => void): Response {
  let hasBegun = false;
  const lines = checkedLines(body ?? new Blob([]).stream(), {
    reported: (said) => reportedError(subject, said),
    broken: (cause) => truncatedError(subject, hasBegun, cause),
    good: () => {
      hasBegun = true;
      onLine();
    },
  });
  return new Response(lines, { status, headers });
}

const busy: ReadonlySet<number> = new Set([429, 502, 503, 504, 529]);

/** Whether the same request may be answered in a moment. A model that dies while it is loaded has said nothing yet. */
function isPassing({ status }: Response, said: string): boolean {
  return busy.has(status) || (status === 500 && /\bdo load request\b/.test(said));
}

/** In milliseconds. Who asks for more is not asked again: the error tells of it at once. */
const longestWait = 60_000;

/** How long to wait before the next attempt, in milliseconds; undefined where that is too long. */
function waitBefore({ headers }: Response, retries: number): number | undefined {
  const asked = headers.get('retry-after');
  const wait = asked === null ? 500 * 2 ** retries : Number(asked) * 1_000 || Date.parse(asked) - Date.now();
  return wait > longestWait ? undefined : Math.max(0, wait || 0);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that fires with another one, and at the latest when its request is over. */
export interface Ending {
  readonly signal: AbortSignal;
  end(): void;
}

const over = 'The request is over.'; // an error of its own, as by default, takes long to make

/** The SDK leaves a connection open to which nobody listens any more: {@link Ending} closes it. */
export function endingWith(outer: AbortSignal): Ending {
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

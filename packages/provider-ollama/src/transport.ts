import { loadPeer, responseError, reportedError } from '@utensil/core/provider';
import type { Fetch, Ollama } from 'ollama/browser';
import { type Subject, truncatedError, unansweredError } from './errors.ts';
import { checkedLines } from './checked-lines.ts';

/** Default address of Ollama. */
export const defaultBaseURL = 'http://127.0.0.1:11434';

/** Connection of the official SDK, the package `ollama`, to its server. */
export interface OllamaConnection {
  /** Default: {@link defaultBaseURL}. */
  readonly baseURL?: string;
  /** For ollama.com, and for servers behind a proxy that asks for one. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the platform. */
  readonly fetch?: Fetch;
}

/** Properties of a request. */
export interface Purpose {
  readonly subject: Subject;
  readonly signal: AbortSignal;
  /** Called for each line of an answer, before the SDK reads it. */
  readonly onLine?: () => void;
}

/** The official SDK, loaded with the first use. */
export const loadOllama = (): Promise<{ readonly Ollama: typeof Ollama }> =>
  loadPeer('ollama', () => import('ollama/browser'));

/** A client of the official SDK for one request, with features that it lacks: a signal, and a check of each line. */
export async function connect(connection: OllamaConnection, purpose: Purpose): Promise<Ollama> {
  const { Ollama } = await loadOllama();
  const { apiKey, headers } = connection;
  return new Ollama({
    host: purpose.subject.baseURL,
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    fetch: carefulFetch(connection, purpose),
  });
}

const nothing = (): void => undefined;

function carefulFetch({ fetch: given = fetch }: OllamaConnection, purpose: Purpose): Fetch {
  const { subject, signal, onLine = nothing } = purpose;
  return async function ask(input, init) {
    const response = await answered(given(input, { ...init, signal }), subject);
    return String(input).endsWith('/api/chat') ? withCheckedLines(response, subject, onLine) : response;
  };
}

async function answered(asked: Promise<Response>, subject: Subject): Promise<Response> {
  const response = await asked.catch((cause: unknown) => {
    throw unansweredError(subject, cause);
  });
  if (!response.ok) throw await responseError(response);
  return response;
}

function withCheckedLines({ body, status, headers }: Response, subject: Subject, onLine: () => void): Response {
  let hasBegun = false;
  const lines = checkedLines(body ?? new Blob([]).stream(), {
    reported: (said) => reportedError({ status: 500, said }),
    broken: (cause) => truncatedError(subject, hasBegun, cause),
    good: () => {
      hasBegun = true;
      onLine();
    },
  });
  return new Response(lines, { status, headers });
}

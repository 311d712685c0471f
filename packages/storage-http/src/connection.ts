import { isObject, isUtensilError, UtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import { errorCodes, causeWithoutKeys, withoutKeys } from '@utensil/core/storage';
import type { ErrorCode } from '@utensil/core';
import { header, joinBytes, version } from './protocol.ts';
import type { Endpoint } from './protocol.ts';

/** Options of `httpStorage`. */
export interface HttpStorageOptions {
  /** Base URL of the server, without `/v1`. */
  readonly url: string;
  /** Bearer token; a function is called before each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** A namespace of the server. Default: `''`, that of a storage that is served alone. */
  readonly namespace?: string;
  /** Maximum wait for a response or its next chunk, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** A request to the server. */
export interface Ask {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** Path to name in errors. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Statuses to return; any other one is thrown as an error. */
  readonly accept: readonly number[];
  /** Headers that mark a retry. */
  readonly repeated?: Readonly<Record<string, string>>;
}

/** A response of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** HTTP connection to a server. */
export interface Connection {
  /** Sends a request, and retries if there is no response. Throws the error that the server reports. */
  ask(ask: Ask): Promise<Answer>;
  /** Opens a streaming response; undefined if there is none. */
  follow(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Latest mark of the server's commit memory. */
  mark(): string | undefined;
  /** Throws `EBADF` after `close`. */
  refuseClosed(path: string): void;
  /** Aborts pending requests. */
  close(): void;
}

/** A lost response. */
interface Lost {
  readonly lost: unknown;
}

const maxAttempts = 3;

/** The timeout of an upload grows by a second for each of these. */
const bytesPerSecond = 100_000;

/** Statuses of proxies, which reveal nothing about the storage. */
const passing = [429, 502, 503, 504];

/** Connects to one namespace of a server. */
export function createConnection(options: HttpStorageOptions): Connection {
  const { namespace = '', token, timeoutMs = 30_000, fetch: send = globalThis.fetch } = options;
  const base = baseOf(options.url);
  if (!namespace.isWellFormed()) throw invalid('The namespace is not valid Unicode text.');
  if (typeof token === 'string') checkToken(token);
  const running = new Set<AbortController>();
  let known = typeof token === 'string' ? token : undefined;
  let mark: string | undefined;
  let isClosed = false;

  function addressOf(endpoint: Endpoint, query: Readonly<Record<string, string>> = {}): string {
    return `${base}/v${version}/${endpoint}?${String(new URLSearchParams({ namespace, ...query }))}`;
  }

  async function authorization(): Promise<Record<string, string>> {
    if (token === undefined) return {};
    known = typeof token === 'string' ? token : checkToken(await token());
    return { authorization: `Bearer ${known}` };
  }

  async function attempt(ask: Ask, isRepeated: boolean): Promise<Answer | Lost> {
    const { endpoint, method, query, headers, body, repeated } = ask;
    const controller = new AbortController();
    running.add(controller);
    const patience = timeoutMs + ((body?.length ?? 0) / bytesPerSecond) * 1000;
    let timer = setTimeout(() => controller.abort(), patience);
    const renew = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), timeoutMs);
    };
    try {
      const response = await send(addressOf(endpoint, query), {
        method,
        headers: { ...(await authorization()), ...headers, ...(isRepeated ? repeated : {}) },
        redirect: 'manual', // never forwards the token to another server
        signal: controller.signal,
        ...(body === undefined ? {} : { body }),
      });
      const isOurs = response.headers.get(header.version) === version;
      const bytes = await readAll(response.body, renew);
      if (!isOurs && passing.includes(response.status)) return { lost: undefined };
      mark = response.headers.get(header.mark) ?? mark;
      return { status: response.status, headers: response.headers, bytes };
    } catch (lost) {
      if (isUtensilError(lost)) throw lost;
      return { lost };
    } finally {
      clearTimeout(timer);
      running.delete(controller);
    }
  }

  function refuseClosed(path: string): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  }

  return {
    refuseClosed,
    mark: () => mark,
    async ask(ask) {
      for (let count = 1; ; count++) {
        refuseClosed(ask.path);
        const answer = await attempt(ask, count > 1);
        refuseClosed(ask.path);
        if (!('lost' in answer)) {
          if (answer.headers.get(header.version) === version && ask.accept.includes(answer.status)) return answer;
          throw toError(answer, ask.path, known);
        }
        if (count === maxAttempts) throw unanswered(ask, causeWithoutKeys(answer.lost, known));
        await pause(100 * 2 ** count * (1 + Math.random()));
      }
    },
    async follow(signal) {
      const response = await send(addressOf('watch'), { headers: await authorization(), redirect: 'manual', signal });
      const isOurs = response.headers.get(header.version) === version && response.status === 200;
      if (isOurs) return response.body ?? undefined;
      await response.body?.cancel();
      return undefined;
    },
    close() {
      isClosed = true;
      for (const controller of running) controller.abort();
    },
  };
}

function invalid(hint: string): UtensilError {
  return fileError('EINVAL', '/', { hint });
}

/** The URL without a trailing slash. */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw invalid('The server URL must be an http or https address.');
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw invalid('The server URL must have no user, password, query or fragment: authenticate with a token.');
  return parsed.href.replace(/\/+$/, '');
}

/** Validates the token. Other characters are invalid in a header, whose error would reveal the token. */
function checkToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw fileError('EACCES', '/', { hint: 'A token must be ASCII without spaces.' });
  return token;
}

async function readAll(body: ReadableStream<Uint8Array> | null, onPart: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const reader = body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) return joinBytes(parts);
    parts.push(next.value);
    onPart();
  }
}

/** JSON of a response; undefined if it is invalid. */
export function jsonOf({ bytes }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Converts an error response, with the token removed. */
function toError(answer: Answer, path: string, token: string | undefined): UtensilError {
  const { status, headers } = answer;
  const body = jsonOf(answer);
  if (headers.get(header.version) === version && isObject(body) && isErrorCode(body['code'])) {
    const message = typeof body['message'] === 'string' ? body['message'].slice(0, 1000) : body['code'];
    const about = typeof body['path'] === 'string' ? body['path'] : path;
    return new UtensilError(body['code'], withoutKeys(message, token), {
      path: about,
      retryable: body['retryable'] === true,
    });
  }
  if (status === 401 || status === 403) return fileError('EACCES', path, { hint: 'The server refuses the request.' });
  if (status === 413)
    return fileError('EFBIG', path, { hint: 'The request is too large for a proxy on the way to the server.' });
  const hint = 'The server at this URL does not speak version 1 of the protocol.';
  return fileError('EIO', path, { hint });
}

function isErrorCode(value: unknown): value is ErrorCode {
  return errorCodes.some((code) => code === value);
}

function unanswered({ path, repeated }: Ask, cause: unknown): UtensilError {
  const hint =
    repeated === undefined
      ? 'The server did not answer: try again.'
      : 'The server did not answer, so the result of the commit is unknown: read, then decide.';
  return fileError('EIO', path, { hint, cause, retryable: repeated === undefined });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

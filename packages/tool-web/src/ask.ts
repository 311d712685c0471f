import { isUtensilError, UtensilError } from '@utensil/core';
import type { Fetch, FetchBody, FetchRequest, FetchResponse } from '@utensil/core';

/** What is asked for, and for how long and how much. */
export interface AskOptions extends Pick<FetchRequest, 'method' | 'headers' | 'body'> {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How many bytes are read; more are left unread. */
  readonly maxBytes: number | ((response: FetchResponse) => number);
}

/** What came. */
export interface Asked {
  readonly response: FetchResponse;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** There is more than was read. */
  readonly isCut: boolean;
}

/**
 * Asks a server, and reads its answer within limits.
 *
 * @throws what `fetch` throws; `fetch_timeout` after `timeoutMs`
 */
export async function ask(url: string, options: AskOptions): Promise<Asked> {
  const { fetch, signal, timeoutMs, maxBytes, ...request } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any([signal, timeout]) });
    const most = typeof maxBytes === 'number' ? maxBytes : maxBytes(response);
    return { response, ...(await readBody(response.body, most)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    const { host } = new URL(url);
    throw new UtensilError('fetch_timeout', `${host} took more than ${timeoutMs / 1_000} s.`, { retryable: true });
  }
}

async function readBody(body: FetchBody | null, most: number): Promise<Omit<Asked, 'response'>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  if (body === null) return { bytes: joined([]), isCut: false };
  const reader = body.getReader();
  let size = 0;
  let isCut = false;
  while (!isCut) {
    const part = await readPart(reader, size);
    if (part === undefined) break;
    if (part !== 'too large') parts.push(part.subarray(0, most - size));
    size += part === 'too large' ? 0 : part.length;
    isCut = part === 'too large' || size > most;
  }
  if (isCut) void reader.cancel().catch(() => {});
  return { bytes: joined(parts), isCut };
}

/** The next part; of a body that the host finds too large, what came before is good all the same. */
async function readPart(reader: ReturnType<FetchBody['getReader']>, size: number) {
  try {
    const { done, value } = await reader.read();
    return done ? undefined : value;
  } catch (error) {
    if (size > 0 && isUtensilError(error, 'fetch_too_large')) return 'too large';
    throw error;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

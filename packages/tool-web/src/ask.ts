import { isUtensilError, UtensilError } from '@utensil/core';
import type { Fetch, FetchBody, FetchRequest, FetchResponse } from '@utensil/core';

/** Request and limits of {@link ask}. */
export interface AskOptions extends Pick<FetchRequest, 'method' | 'headers' | 'body'> {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum bytes to read; the rest is discarded. */
  readonly maxBytes: number | ((response: FetchResponse) => number);
}

/** The response. */
export interface Asked {
  readonly response: FetchResponse;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the body was longer than the part read. */
  readonly isCut: boolean;
}

/**
 * Sends a request and reads the response within limits.
 *
 * @throws any error of `fetch`; `fetch_timeout` after `timeoutMs`
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

/** Reads the next chunk. If the host finds the body too large, the chunks before remain valid. */
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

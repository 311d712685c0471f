import { isObject, UtensilError } from '@utensil/core';
import type { Fetch, FetchRequest, FetchResponse } from '@utensil/core';
import { fromBase64, toBase64 } from '../base64.ts';
import type { FetchAnswer } from '../guest/fetch.ts';
import type { HostFunction } from '../sandbox.ts';
import { createPlaces } from './places.ts';

/** Maximum bytes of a response that reach a script. */
const mostBytes = 10 * 1024 * 1024;

/** Number of parallel requests of a script; further ones wait. */
const mostAtOnce = 6;

/** Host side of `fetch`: the host makes each request, and responses cross as data, up to `mostInAll` bytes together. */
export function fetchFunction(fetch: Fetch, mostInAll: number): HostFunction {
  const places = createPlaces(mostAtOnce);
  const budget = { left: mostInAll };

  async function send({ url, ...request }: ReadRequest, signal: AbortSignal): Promise<FetchAnswer> {
    const response = await fetch(url, { ...request, signal });
    const { redirected, status, statusText } = response;
    const content = contentOf(await bytesOf(response, budget));
    return { url: response.url, redirected, status, statusText, headers: headersOf(response), ...content };
  }

  return async (input, signal) => {
    const request = readRequest(input);
    return places.take(async () => {
      if (signal.aborted) throw new UtensilError('fetch_failed', 'The script is over.');
      return send(request, signal);
    });
  };
}

type ReadRequest = Omit<FetchRequest, 'signal'> & { readonly url: string };

/** Validates an untrusted request of the guest. */
function readRequest(input: unknown): ReadRequest {
  const { url, method, headers, body, redirect } = (isObject(input) ? input : {}) as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || typeof method !== 'string') throw invalid('it needs an address');
  if (redirect !== undefined && redirect !== 'follow' && redirect !== 'error' && redirect !== 'manual')
    throw invalid(`redirect must be "follow", "error" or "manual"`);
  const content = readBody(body);
  return {
    url,
    method,
    headers: readHeaders(headers),
    ...(redirect !== undefined && { redirect }),
    ...(content !== undefined && { body: content }),
  };
}

function readHeaders(given: unknown): Record<string, string> {
  const pairs: readonly unknown[] = Array.isArray(given) ? given : [];
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      if (typeof name !== 'string' || typeof value !== 'string') throw invalid('a header is a name and a text');
      return [name, value];
    }),
  );
}

function readBody(given: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  const { text, base64 } = (isObject(given) ? given : {}) as Readonly<Record<string, unknown>>;
  if (typeof base64 === 'string') return fromBase64(base64);
  return typeof text === 'string' ? text : undefined;
}

function invalid(problem: string): UtensilError {
  return new UtensilError('fetch_failed', `Not fetched: ${problem}.`);
}

/** All headers, if they can be enumerated, as the platform's can. */
function headersOf({ headers }: FetchResponse): FetchAnswer['headers'] {
  const listed = headers as FetchResponse['headers'] & Partial<Pick<Headers, 'forEach'>>;
  const found: [string, string][] = [];
  listed.forEach?.((value, name) => found.push([name, value]));
  const type = listed.get('content-type');
  return found.length > 0 || type === null ? found : [['content-type', type]];
}

/** The body, up to its own limit and the limit of all bodies of the script. */
async function bytesOf({ body, url }: FetchResponse, budget: { left: number }): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return joined(parts, length);
    parts.push(value);
    length += value.length;
    budget.left -= value.length;
    if (length <= mostBytes && budget.left >= 0) continue;
    await reader.cancel().catch(() => undefined);
    if (budget.left < 0) throw new UtensilError('EFBIG', 'Too much data for one script: fetch less at a time.');
    const problem = `The answer of ${hostOf(url)} is larger than ${mostBytes} bytes: ask for a part of it.`;
    throw new UtensilError('fetch_too_large', problem);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the server';
}

/** Text if it is UTF-8, which is cheaper to transfer; the byte order mark is preserved. */
function contentOf(bytes: Uint8Array): Pick<FetchAnswer, 'text' | 'base64'> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: toBase64(bytes) };
  }
}

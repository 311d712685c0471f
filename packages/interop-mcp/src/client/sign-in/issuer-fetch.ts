import { isUtensilError } from '@utensil/core';
import { checkAddress } from './addresses.ts';
import { signInFailed } from './failures.ts';
import type { WebFetch } from './options.ts';

/** Maximum bytes of a response. Metadata, registrations and tokens take a few thousand. */
const mostBytes = 256 * 1024;

/** Maximum milliseconds of a request. */
const patienceMs = 30_000; // one that ends too early ends a whole sign-in

/** `fetch` for sign-ins: permitted addresses only, with limits on time and size. */
export interface IssuerFetch {
  readonly fetch: WebFetch;
  /** The last rejection, which the SDK may have swallowed. */
  problem(): Error | undefined;
}

export function issuerFetch(serverUrl: string, given: WebFetch = fetch): IssuerFetch {
  let problem: Error | undefined;

  async function bounded(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = checkAddress(address, { of: 'An address of the sign-in', serverUrl });
    const timeout = AbortSignal.timeout(patienceMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const answer = await given(url, { ...init, redirect: init.redirect ?? 'error', signal });
    if (answer.body === null || answer.status === 0) return answer;
    const bytes = await readBounded(answer.body);
    const { status, statusText, headers } = answer;
    return new Response([204, 205, 304].includes(status) ? null : bytes, { status, statusText, headers });
  }

  return {
    problem: () => problem,
    async fetch(address, init) {
      try {
        return await bounded(address, init);
      } catch (error) {
        const said = isUtensilError(error)
          ? error
          : signInFailed('The issuer could not be reached. Try again later.', true);
        problem = said;
        throw said;
      }
    },
  };
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const reader = body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > mostBytes) {
      void reader.cancel().catch(() => undefined);
      throw signInFailed(`An answer of the sign-in has more than ${mostBytes} bytes.`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

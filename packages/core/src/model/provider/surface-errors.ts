import type { MisreadResponses } from './misread-response.ts';

/** The signature of `fetch` as SDKs use it. */
type FetchLike<Input, Init> = (input: Input, init?: Init) => Promise<Response>;

/**
 * Wraps `fetch` to surface errors that SDKs overlook. Some gateways report errors with status 200, and an SDK takes
 * them for an empty answer; some SDKs drop the headers of errors, which say how long to wait. Such a response gets the
 * correct status, and keeps its delay. The code for corrections is loaded on first use.
 *
 * @example
 * ```ts
 * import { surfaceErrors } from '@utensil/core/provider';
 *
 * const careful = surfaceErrors(fetch, async () => ({
 *   statusOf: (error) => (error === 'busy' ? 529 : undefined),
 * }));
 * ```
 */
export function surfaceErrors<Input, Init>(
  fetch: FetchLike<Input, Init>,
  misreadResponses: () => Promise<MisreadResponses>,
): FetchLike<Input, Init> {
  return async function surfacingFetch(input, init) {
    const response = await fetch(input, init);
    if (!isOdd(response)) return response;
    const { correctedResponse } = await import('./failed-turn.ts');
    return correctedResponse(response, await misreadResponses());
  };
}

/** No stream has this media type, and no successful answer asks for a delay. */
function isOdd({ ok, headers }: Response): boolean {
  if (ok) return /^application\/json\b/i.test(headers.get('content-type') ?? '');
  return headers.has('retry-after') || headers.has('retry-after-ms');
}

import type { MisreadResponses } from './misread-response.ts';

/** As much of a `fetch` as an SDK calls it with. */
type FetchLike<Input, Init> = (input: Input, init?: Init) => Promise<Response>;

/**
 * A `fetch` that shows an SDK what it does not look for: some gateways refuse with status 200, which to the SDK is an answer
 * without a word, and some SDKs drop the headers of a refusal, which say how long to wait. Such a response gets the status
 * that it should have, and its wait is kept. What is needed for that is loaded with the first of them.
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
    const { correctedResponse } = await import('./misread-response.ts');
    return correctedResponse(response, await misreadResponses());
  };
}

/** No stream has this type, and no answer asks for a wait. */
function isOdd({ ok, headers }: Response): boolean {
  if (ok) return /^application\/json\b/i.test(headers.get('content-type') ?? '');
  return headers.has('retry-after') || headers.has('retry-after-ms');
}

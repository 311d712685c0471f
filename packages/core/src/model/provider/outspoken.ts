/** As much of a response as shows that an SDK would misread it. */
interface Shown {
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
}

/**
 * A `fetch` that shows an SDK what it does not look for: some gateways refuse with status 200, and some servers ask for a
 * very long wait. Only such a response is given to `speakOut`, which can be loaded then; see {@link spokenOut}.
 */
export function outspoken<Input, Init, Answer extends Shown>(
  fetch: (input: Input, init?: Init) => Promise<Answer>,
  speakOut: (response: Answer) => Promise<Answer>,
): (input: Input, init?: Init) => Promise<Answer> {
  return async function outspokenFetch(input, init) {
    const response = await fetch(input, init);
    return isOdd(response) ? speakOut(response) : response;
  };
}

/** No stream has this type, and no answer asks for a wait. */
function isOdd({ ok, headers }: Shown): boolean {
  if (ok) return /^application\/json\b/i.test(headers.get('content-type') ?? '');
  return headers.get('retry-after') !== null || headers.get('retry-after-ms') !== null;
}

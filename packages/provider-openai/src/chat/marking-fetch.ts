type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A `fetch` that marks the ends of streams. */
export function markingFetch(given: Fetch = fetch): Fetch {
  return async function fetchMarked(input, init) {
    const [response, { withEndMark }] = await Promise.all([given(input, init), import('./end-mark.ts')]);
    return withEndMark(response);
  };
}

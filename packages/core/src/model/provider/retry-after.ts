/** The delay in a `retry-after` header, in milliseconds; undefined if there is none, or it cannot be parsed. */
export function retryAfter(headers: { get(name: string): string | null }): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const seconds = Number(asked);
  const wait = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : wait;
}

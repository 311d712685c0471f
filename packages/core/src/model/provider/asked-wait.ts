/** In milliseconds. If a server asks for more, it is not asked again: the error says so at once. */
const longestWait = 60_000;

/** True if a wait is too long to keep a person waiting without telling them. */
export function isTooLong(wait = 0): boolean {
  return wait > longestWait;
}

/** For how long a server asks to wait, in milliseconds; undefined if it says nothing that can be read. */
export function askedWait(headers: { get(name: string): string | null }): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const seconds = Number(asked);
  const wait = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : wait;
}

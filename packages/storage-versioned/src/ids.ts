/**
 * Creates an id from a time, in milliseconds since 1970. Ids sort in the order of their creation; an id with `after`
 * sorts after that one, whatever the clock says.
 */
export type NewId = (time: number, after?: string) => string;

const digits = 10;
const perMillisecond = 100;
const highest = 36 ** digits - 1;
/** Latest clock value; the numbers above are reserved for ids that follow one of this time. */
const latest = highest - 36 ** 6;

export function createIds(): NewId {
  let last = 0;
  return (time, after) => {
    const now = Number.isFinite(time) ? Math.floor(time) * perMillisecond : 0;
    last = Math.max(Math.min(now, latest), last + 1);
    const next = after === undefined ? 0 : Number.parseInt(after, 36) + 1;
    return (next <= highest ? Math.max(last, next) : last).toString(36).padStart(digits, '0');
  };
}

/** Time of an id, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Math.floor(Number.parseInt(id, 36) / perMillisecond);
}

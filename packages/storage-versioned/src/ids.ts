/**
 * Makes an id of a time, in milliseconds since 1970. Ids are in the order in which they were made; one that is to follow
 * another (`after`) does, whatever the clock says.
 */
export type NewId = (time: number, after?: string) => string;

const digits = 10;
const perMillisecond = 100;
const highest = 36 ** digits - 1;
/** The time of no clock; what is left above it is for ids that follow one of that time. */
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

/** The time of an id, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Math.floor(Number.parseInt(id, 36) / perMillisecond);
}

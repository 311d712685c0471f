/** The most levels that values which cross to a script may have: beyond some thousands, platforms fail to copy them. */
export const deepest = 1_000;

/** Whether JSON is nested more deeply than that. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth++;
    else if (bracket === ']' || bracket === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** The most levels that values which cross to a script may have: beyond some thousands, platforms fail to copy them. */
export const deepest = 1_000;

const [quote, backslash, list, endOfList, object, endOfObject] = [34, 92, 91, 93, 123, 125];

/** True if JSON is nested more deeply. Not a regular expression, which fails for texts of some megabytes. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length && depth <= deepest; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === list || code === object) depth++;
    else if (code === endOfList || code === endOfObject) depth--;
  }
  return depth > deepest;
}

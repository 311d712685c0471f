/** Maximum nesting of values that cross to a script: platforms fail to clone values some thousands of levels deep. */
export const deepest = 1_000;

const [quote, backslash, list, endOfList, object, endOfObject] = [34, 92, 91, 93, 123, 125];

/** True if JSON is nested more deeply. Not a regular expression, which fails for texts of several megabytes. */
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

/** Maximum number of values in a message: parsed data takes far more memory than its JSON, and blocks the receiver. */
export const mostValues = 100_000;

const [quote, comma, list, backslash, object] = [34, 44, 91, 92, 123];

/** True if JSON has more values than that, without parsing it. */
export function hasManyValues(json: string): boolean {
  if (json.length <= mostValues) return false;
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length && count <= mostValues; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === comma || code === list || code === object) count++;
  }
  return count > mostValues;
}

/**
 * Removes lone surrogates from JSON, because servers reject requests that contain them. Returns the same object if
 * there are none.
 */
export function wellFormed<Value>(value: Value): Value {
  const json = JSON.stringify(value);
  // JSON.stringify writes only lone surrogates as escapes.
  if (!/\\ud[89a-f]/.test(json)) return value;
  const mended = json.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length > 2 ? '\\ufffd' : escape));
  return JSON.parse(mended) as Value;
}

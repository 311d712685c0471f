/** The same JSON without halves of surrogate pairs, for which servers refuse a whole request: one object where it has none. */
export function wellFormed<Value>(value: Value): Value {
  const json = JSON.stringify(value);
  // In JSON that was just made, only a half is written as an escape.
  if (!/\\ud[89a-f]/.test(json)) return value;
  const mended = json.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length > 2 ? '\\ufffd' : escape));
  return JSON.parse(mended) as Value;
}

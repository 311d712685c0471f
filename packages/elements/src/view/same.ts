/** Deep equality of JSON values. Identical objects are not traversed. */
export function same(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]]; // iterative, because tool output may be nested deeply
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pairs.push([left[key as keyof typeof left], right[key as keyof typeof right]]);
    }
  }
  return true;
}

/** Text without keys: vendors quote those that they refuse, whole or in parts, and an address may hold a password. */
export function withoutKeys(text: string, apiKey: unknown): string {
  const known = typeof apiKey === 'string' && apiKey.length >= 8 ? text.replaceAll(apiKey, '[key]') : text;
  return known
    .replaceAll(/\b(?:sk|sess|rk|pk)-[\w*.-]{3,}/g, '[key]')
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replaceAll(/:\/\/[^\s/@]+@/g, '://[key]@');
}

/** A thrown value as a cause, which ends up in logs; undefined if it holds a key anywhere, or cannot be searched whole. */
export function causeWithoutKeys(thrown: unknown, apiKey: unknown): unknown {
  const texts = textsIn(thrown);
  return texts?.every((text) => withoutKeys(text, apiKey) === text) ? thrown : undefined;
}

/** Objects that are looked through for a key. */
const mostObjects = 10_000;

/** All texts in a value, keys too, as a log would show them: of errors also what is not enumerable. Undefined: too many. */
function textsIn(value: unknown): readonly string[] | undefined {
  const texts: string[] = [];
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') texts.push(next);
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    if (seen.size >= mostObjects) return undefined;
    seen.add(next);
    try {
      open.push(...partsOf(next));
    } catch {
      return undefined;
    }
  }
  return texts;
}

function partsOf(value: object): readonly unknown[] {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return [];
  const own = Object.entries(value).flat();
  const ofError = value instanceof Error ? [value.name, value.message, value.stack, value.cause] : [];
  const ofAll = value instanceof AggregateError ? value.errors : [];
  return [...own, ...ofError, ...ofAll, ...(isCollection(value) ? value : [])];
}

/** Maps, sets and headers: what they hold is no property, and a log shows it. */
function isCollection(value: object): value is Iterable<unknown> {
  return value instanceof Map || value instanceof Set || Object.prototype.toString.call(value) === '[object Headers]';
}

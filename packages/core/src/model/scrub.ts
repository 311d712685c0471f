/** Removes secrets from text: vendors quote rejected keys, whole or in part, and an address may contain a password. */
export function withoutKeys(text: string, apiKey: unknown): string {
  const known = typeof apiKey === 'string' && apiKey.length >= 8 ? text.replaceAll(apiKey, '[key]') : text;
  return known
    .replaceAll(/\b(?:sk|sess|rk|pk)-[\w*.-]{3,}/g, '[key]')
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replaceAll(/:\/\/[^\s/@]+@/g, '://[key]@');
}

/**
 * A thrown value as a cause, which may be logged; undefined if it contains a secret, or is too large to search
 * completely.
 */
export function causeWithoutKeys(thrown: unknown, apiKey: unknown): unknown {
  const texts = textsIn(thrown);
  return texts?.every((text) => withoutKeys(text, apiKey) === text) ? thrown : undefined;
}

/** Maximum number of objects to search for a secret. */
const mostObjects = 10_000;

/**
 * All strings in a value as a log would show them, including keys and non-enumerable members of errors. Undefined: too
 * many.
 */
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

/** Maps, sets and headers: their contents are not properties, but logs show them. */
function isCollection(value: object): value is Iterable<unknown> {
  return value instanceof Map || value instanceof Set || Object.prototype.toString.call(value) === '[object Headers]';
}

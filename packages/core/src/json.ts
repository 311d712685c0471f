/** A value that survives JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema document (draft 2020-12, object form). Source: https://json-schema.org/draft/2020-12 */
export type JsonSchema = JsonObject;

/** Whether `value` is an object with keys: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Turns any value into JSON without ever throwing: a BigInt becomes its digits, a cycle `"[Circular]"`,
 * a Map an object, a Set an array, bytes their number, an Error its name and message, `undefined` null (absent in objects).
 */
export function toJson(value: unknown): Json {
  return convert(value, undefined);
}

/** An object that is being converted, and those that it is in. */
interface Place {
  readonly object: object;
  readonly outer: Place | undefined;
}

function convert(value: unknown, outer: Place | undefined): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value); // JSON has no -0
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object') return null;
  for (let place = outer; place !== undefined; place = place.outer) if (place.object === value) return '[Circular]';
  try {
    return convertObject(value, { object: value, outer });
  } catch {
    return '[Unreadable]'; // a getter, a proxy or a toJSON of the tool's own threw
  }
}

function convertObject(value: object, place: Place): Json {
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), place);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => convert(item, place));
  return convertEntries(value instanceof Map ? value : Object.entries(value), place);
}

function convertEntries(entries: Iterable<readonly [unknown, unknown]>, place: Place): Json {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) {
    if (value === undefined || typeof value === 'function') continue;
    const name = String(key);
    const converted = convert(value, place);
    if (name === '__proto__') defineOwn(object, name, converted);
    else object[name] = converted;
  }
  return object;
}

/** A field of a name to which nothing can be assigned. */
function defineOwn(object: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** JSON text with sorted keys: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`).join(',')}}`;
}

/** The value with each string in it changed. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

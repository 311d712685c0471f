/** A value that JSON can represent unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema document (draft 2020-12, object form). Source: https://json-schema.org/draft/2020-12 */
export type JsonSchema = JsonObject;

/** True if `value` is an object with keys: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's own member. The name may be any text, such as `constructor`, which every object inherits. */
export function ownMember<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Maximum depth of arguments. Serializers, validators and views are recursive; more would overflow the stack. */
export const mostLevels = 500;

/** True if a value is deeper than the limit; default: the limit of arguments. Iterative, level by level. */
export function isTooDeep(value: unknown, most = mostLevels): boolean {
  if (!isContainer(value) || isFlat(value)) return false; // the common case
  let level: ReadonlySet<object> = new Set([value]);
  for (let depth = 1; level.size > 0; depth++) {
    if (depth > most) return true;
    const next = new Set<object>(); // a tool may pass a cycle, or one object in many places
    for (const each of level) for (const member of Object.values(each)) if (isContainer(member)) next.add(member);
    level = next;
  }
  return false;
}

/** True if no member of an object or an array is an object or an array itself. */
function isFlat(value: object): boolean {
  for (const key in value) if (isContainer((value as Record<string, unknown>)[key])) return false; // no list of values is made
  return true;
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Converts any value to JSON and never throws: a BigInt becomes its digits, a cycle `"[Circular]"`, a Map an object, a
 * Set an array, bytes their count, an Error its name and message, `undefined` null (absent in objects), a value nested
 * in 600 others `"[Nested too deeply]"`.
 */
export function toJson(value: unknown): Json {
  return convert(value, []);
}

/** The limit of arguments plus the levels of a message around them. */
const deepest = 600;

function convert(value: unknown, ancestors: readonly object[]): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value); // JSON has no -0
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object') return null;
  if (ancestors.includes(value)) return '[Circular]';
  if (ancestors.length >= deepest) return '[Nested too deeply]';
  const inside = [...ancestors, value];
  try {
    if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), inside);
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => convert(item, inside));
    return value instanceof Map ? convertEntries(value, inside) : convertMembers(value, inside);
  } catch {
    return '[Unreadable]'; // a getter, proxy or toJSON of the tool threw
  }
}

function convertMembers(value: object, ancestors: readonly object[]): Json {
  if (Object.hasOwn(value, '__proto__')) return convertEntries(Object.entries(value), ancestors);
  const converted: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && typeof member !== 'function') converted[key] = convert(member, ancestors);
  }
  return converted;
}

function convertEntries(entries: Iterable<readonly [unknown, unknown]>, ancestors: readonly object[]): Json {
  const kept: [string, Json][] = [];
  for (const [key, value] of entries)
    if (value !== undefined && typeof value !== 'function') kept.push([String(key), convert(value, ancestors)]);
  return Object.fromEntries(kept);
}

/** JSON text with sorted keys: equal values have equal text. */
export function canonicalJson(value: Json): string {
  return isSorted(value) ? JSON.stringify(value) : sortedJson(value);
}

function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key] as Json)}`).join(',')}}`;
}

/** True if all keys, at any depth, are sorted. */
function isSorted(value: Json): boolean {
  if (!isContainer(value)) return value !== undefined;
  if (Array.isArray(value)) return value.every(isSorted);
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last || !isSorted((value as JsonObject)[key] as Json)) return false;
    last = key;
  }
  return true;
}

/** Maps all strings in a value, keys included; keys that become equal are numbered. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isObject(value)) return value;
  const members = new Map<string, Json>();
  for (const [key, item] of Object.entries(value)) {
    const changed = change(key);
    let free = changed;
    for (let count = 2; free !== key && (members.has(free) || Object.hasOwn(value, free)); count++)
      free = `${changed} ${count}`;
    members.set(free, mapStrings(item, change));
  }
  return Object.fromEntries(members);
}

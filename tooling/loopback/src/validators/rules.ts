import type { Reply } from '../loopback.ts';

/** An object of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a vendor demands of a request: gives its words where the request is not so. */
export type Rule = (body: Fields) => string | undefined;

/** Answers a request as its vendor would, where the vendor would refuse it. */
export type Validator = (body: unknown) => Reply | undefined;

/** The words of the first rule that a request breaks. */
export function problemOf(body: unknown, rules: readonly Rule[]): string | undefined {
  for (const rule of rules) {
    const problem = rule(fields(body));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** An error as JSON. */
export function refusal(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** The value as an object: an empty one where it is none. */
export function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The objects of a list, which may be none. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isBase64(value: unknown): boolean {
  return isText(value) && /^[A-Za-z0-9+/_-]+={0,2}$/.test(value);
}

/** The first key that is none of these. */
export function unknownKey(value: Fields, known: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !known.includes(key));
}

/** The first value that is in a list twice. */
export function duplicate(values: readonly unknown[]): unknown {
  return values.find((value, index) => values.indexOf(value) < index);
}

/** What the first that has something to say says of its place. */
export function first<Value>(
  values: readonly Value[],
  say: (value: Value, index: number) => string | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const said = say(value, index);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** Nobody's JSON may have half of a surrogate pair in it. */
export const isWellFormed: Rule = (body) =>
  /\\ud[89a-f]/.test(JSON.stringify(body).replaceAll('\\\\', ''))
    ? 'The request body is not valid JSON: no low surrogate in string'
    : undefined;

/** Whether a name is made of letters, digits, `_` and `-`, and is not too long. */
export function isPlainName(name: unknown, limit = 64): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_-]+$/.test(name) && name.length <= limit;
}

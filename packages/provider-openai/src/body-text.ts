import { type ModelRequest, isObject } from '@utensil/core';

/** Options with which the SDK sends a body as a text. */
export interface TextOptions {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body as a text. Members from the request's `providerOptions`, and a vendor's own definitions of tools, are the caller's, and may change. */
export function asText(
  body: object,
  { providerOptions = {}, tools }: Pick<ModelRequest, 'providerOptions' | 'tools'>,
): TextOptions {
  const isMapped = tools.every(({ type }) => type !== 'native');
  const mapped = isMapped ? ['input', 'messages', 'tools'] : ['input', 'messages']; // whose elements are never changed
  const own = mapped.filter((name) => !Object.hasOwn(providerOptions, name));
  // Without the header, the SDK writes the text as JSON again.
  return { body: bodyText(body, own), headers: { 'content-type': 'application/json' } };
}

/**
 * JSON of a body, as `JSON.stringify` writes it. The SDK writes the whole body for each request, and calls a function for
 * each value; here, the beginning of a list that each request repeats is written once. `own`: names of lists whose elements are never changed.
 */
export function bodyText(body: object, own: readonly string[]): string {
  let members = '';
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const text = Array.isArray(value) && own.includes(name) ? listText(value) : JSON.stringify(value);
    if (text !== undefined) members = joined(members, `${JSON.stringify(name)}:${text}`);
  }
  return `{${members}}`;
}

function listText(list: readonly unknown[]): string {
  const [first] = list;
  const instructions = isObject(first) && first['role'] === 'system' ? 1 : 0; // a new object in each request
  return `[${joined(elementsOf(list.slice(0, instructions)), elementsText(list.slice(instructions)))}]`;
}

/** A list that was written, and its JSON without brackets. */
interface Written {
  readonly list: readonly unknown[];
  readonly text: string;
}

/** Stands for the first list of a thread, which may be the only one, and for lists above `mostKept` characters. */
const none: Written = { list: [], text: '' };

/** The latest list that began with an object. */
const written = /* @__PURE__ */ new WeakMap<object, Written>();

/** Maximum characters of a text that is kept: not that of a list with pictures. */
const mostKept = 2 ** 20;

function elementsText(list: readonly unknown[]): string {
  const [first] = list;
  if (!isObject(first)) return elementsOf(list);
  const before = written.get(first);
  const begun = before !== undefined && isBeginning(before, list) ? before : none;
  const text = joined(begun.text, elementsOf(list.slice(begun.list.length)));
  written.set(first, begun === before && text.length <= mostKept ? { list, text } : none);
  return text;
}

function isBeginning({ list }: Written, whole: readonly unknown[]): boolean {
  return list.length <= whole.length && list.every((element, index) => element === whole[index]);
}

/** JSON of a list, without brackets. */
function elementsOf(list: readonly unknown[]): string {
  return JSON.stringify(list).slice(1, -1);
}

/** Joins two JSON fragments with a comma. Concatenated, because `Array.join` copies them. */
function joined(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a},${b}`;
}

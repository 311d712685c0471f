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
  const isOwn = (name: string): boolean => name !== 'tools' || tools.every(({ type }) => type !== 'native');
  const text = bodyText(body, (name) => mapped.includes(name) && !Object.hasOwn(providerOptions, name) && isOwn(name));
  return { body: text, headers: { 'content-type': 'application/json' } }; // without it the SDK writes the text as JSON again
}

/** Lists of a body that mappers make: their elements are never changed. */
const mapped: readonly string[] = ['input', 'messages', 'tools'];

/**
 * JSON of a body, as `JSON.stringify` writes it. The SDK writes the whole body for each request, and calls a function for
 * each value; here, the beginning of a list that each request repeats is written once. `own`: lists whose elements are never changed.
 */
export function bodyText(body: object, own: (name: string) => boolean): string {
  let whole = ''; // not joined: each join copies the texts
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const text = Array.isArray(value) && own(name) ? listText(value) : JSON.stringify(value);
    if (text !== undefined) whole += `${whole === '' ? '{' : ','}${JSON.stringify(name)}:${text}`;
  }
  return whole === '' ? '{}' : `${whole}}`;
}

/** A list that was written. */
interface Written {
  readonly list: readonly unknown[];
  /** Its JSON without brackets. Absent for the first list of a thread, which may be the only one, and above `mostKept` characters. */
  readonly text: string | undefined;
}

/** The latest list that began with an object. */
const written = /* @__PURE__ */ new WeakMap<object, Written>();

/** Maximum characters of a text that is kept: not that of a list with pictures. */
const mostKept = 2 ** 20;

function listText(list: readonly unknown[]): string {
  const [first] = list;
  if (!isObject(first) || first['role'] !== 'system') return `[${elementsText(list)}]`;
  const rest = elementsText(list.slice(1)); // instructions are a new object in each request
  return `[${elementsOf([first])}${rest === '' ? '' : ','}${rest}]`;
}

function elementsText(list: readonly unknown[]): string {
  const [first] = list;
  if (!isObject(first)) return elementsOf(list);
  const before = beginningOf(list, written.get(first));
  const isSame = before?.text !== undefined && before.list.length === list.length;
  if (isSame) return before.text;
  const text =
    before?.text === undefined ? elementsOf(list) : [before.text, elementsOf(list.slice(before.list.length))].join(',');
  written.set(first, { list, text: before === undefined || text.length > mostKept ? undefined : text });
  return text;
}

function beginningOf(list: readonly unknown[], known: Written | undefined): Written | undefined {
  if (known === undefined || known.list.length > list.length) return undefined;
  return known.list.every((element, index) => element === list[index]) ? known : undefined;
}

/** JSON of a list, without brackets. */
function elementsOf(list: readonly unknown[]): string {
  return JSON.stringify(list).slice(1, -1);
}

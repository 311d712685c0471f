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
 * each value; here, elements that each request repeats are written once. `own`: lists whose elements are never changed.
 */
export function bodyText(body: object, own: (name: string) => boolean): string {
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = Array.isArray(value) && own(name) ? listText(value) : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Texts of elements and lists that came twice. Of others no text is kept. */
const texts = /* @__PURE__ */ new WeakMap<object, string>();
const seen = /* @__PURE__ */ new WeakSet();

/** In characters: the text of a larger element, such as a picture, is not kept as well. */
const mostKept = 65_536;

/** Text of a list. Only lists of tools come twice: a history is another list in each request. */
function listText(list: readonly unknown[]): string {
  return texts.get(list) ?? kept(list, `[${list.map(elementText).join(',')}]`);
}

function elementText(element: unknown): string {
  if (!isObject(element)) return JSON.stringify(element) ?? 'null';
  const before = texts.get(element);
  if (before !== undefined) return before;
  const text = JSON.stringify(element) ?? 'null';
  return text.length > mostKept ? text : kept(element, text);
}

function kept(of: object, text: string): string {
  if (seen.has(of)) texts.set(of, text);
  else seen.add(of);
  return text;
}

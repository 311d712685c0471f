import { isObject } from '@utensil/core';

/**
 * JSON of a body, as `JSON.stringify` writes it. The SDK writes all of it again for each request, and calls a function
 * for each value of it: what comes again with each request is written once here. `own`: its lists whose elements are
 * never changed.
 */
export function bodyText(body: object, own: (name: string) => boolean): string {
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = Array.isArray(value) && own(name) ? listText(value) : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Texts of what came twice: what comes once is not kept. */
const texts = /* @__PURE__ */ new WeakMap<object, string>();
const seen = /* @__PURE__ */ new WeakSet();

/** In characters: a longer text, such as that of a picture, is not kept twice. */
const mostKept = 65_536;

function listText(list: readonly unknown[]): string {
  return known(list, () => `[${list.map(elementText).join(',')}]`, Infinity);
}

function elementText(element: unknown): string {
  const text = isObject(element) ? known(element, () => JSON.stringify(element), mostKept) : JSON.stringify(element);
  return text ?? 'null';
}

function known<Text extends string | undefined>(of: object, write: () => Text, most: number): Text | string {
  const before = texts.get(of);
  if (before !== undefined) return before;
  const text = write();
  if (seen.has(of) && text !== undefined && text.length <= most) texts.set(of, text);
  else seen.add(of);
  return text;
}

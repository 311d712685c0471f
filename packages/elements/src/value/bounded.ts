import type { Json } from '@utensil/core';

/** Start of a text. */
export interface Head {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Maximum nesting of pretty-printed JSON: deeper values would be mostly spaces, and platforms fail. */
const mostLevels = 200;

/** A value as people read it: text verbatim, everything else as pretty-printed JSON. */
export function wholeText(value: Json): string {
  if (typeof value === 'string') return value;
  return isDeep(value) ? deepText(value) : JSON.stringify(value, null, 2);
}

function isDeep(whole: Json): boolean {
  const rest: (readonly [value: Json, level: number])[] = [[whole, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, level] = next;
    if (level > mostLevels) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) if (typeof inner === 'object') rest.push([inner, level + 1]);
  }
  return false;
}

/** Deeply nested JSON on one line. */
function deepText(whole: Json): string {
  const written: string[] = [];
  const rest: ({ readonly text: string } | { readonly value: Json })[] = [{ value: whole }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('text' in next) written.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) written.push(JSON.stringify(next.value));
    else {
      const isList = Array.isArray(next.value);
      written.push(isList ? '[' : '{');
      rest.push({ text: isList ? ']' : '}' });
      for (const [index, [key, value]] of [...Object.entries(next.value).entries()].toReversed())
        rest.push({ value }, { text: `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}` });
    }
  }
  return written.join('');
}

/** Start of a value, limited in characters and lines; the rest is not even computed. */
export function headOf(value: Json, characters: number, lines: number): Head {
  const { text, isWhole } =
    typeof value === 'string' ? cut(value, characters) : cut(jsonHead(value, characters), characters);
  const end = lineEnd(text, lines);
  return end === undefined ? { text, isWhole } : { text: text.slice(0, end), isWhole: false };
}

function cut(text: string, characters: number): Head {
  if (text.length <= characters) return { text, isWhole: true };
  const isPair = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return { text: text.slice(0, isPair ? characters - 1 : characters), isWhole: false };
}

/** Offset after a number of lines; undefined if the text has no more. */
function lineEnd(text: string, lines: number): number | undefined {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return undefined;
  }
  return at;
}

/** `JSON.stringify(value, null, 2)`, stopped soon after a number of characters. */
function jsonHead(value: Json, characters: number): string {
  const written: string[] = [];
  let room = characters + 1; // one more, to detect that there is more

  function put(text: string): void {
    written.push(text);
    room -= text.length;
  }

  function write(value: Json, indent: string): void {
    if (room <= 0) return;
    if (typeof value === 'string') put(JSON.stringify(value.length > room ? value.slice(0, room) : value));
    else if (typeof value !== 'object' || value === null) put(JSON.stringify(value));
    else if (Array.isArray(value))
      list(
        '[]',
        value.map((item): Member => ['', item as Json]),
        indent,
      );
    else list('{}', Object.entries(value), indent);
  }

  function list(brackets: string, members: readonly Member[], indent: string): void {
    if (members.length === 0) return put(brackets);
    const deeper = `${indent}  `;
    put(brackets.charAt(0));
    for (const [index, [key, item]] of members.entries()) {
      if (room <= 0) return;
      put(`${index === 0 ? '' : ','}\n${deeper}${brackets === '{}' ? `${JSON.stringify(key)}: ` : ''}`);
      write(item, deeper);
    }
    put(`\n${indent}${brackets.charAt(1)}`);
  }

  write(value, '');
  return written.join('');
}

type Member = readonly [key: string, value: Json];

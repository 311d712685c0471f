import type { Json } from '@utensil/core';
import type { BlockReading } from './block.ts';
import { isNameChar } from '../text/lookahead.ts';
import { atEnd, skipBlanks, takeUntil } from './reading.ts';
import type { Source } from '../text/source.ts';

/** A value, or the error in it. */
export type PythonValue = { readonly value: Json } | { readonly problem: string };

const deepest = 100;
const early = { problem: 'the value is not complete' };

/** Takes a Python literal: a string, a number, True, False, None, a list, a tuple or a dict. */
export function* readPythonValue(source: Source, depth = 0): BlockReading<PythonValue> {
  if (depth > deepest) return { problem: 'the value is nested too deeply' };
  if (yield* atEnd(source)) return early;
  const char = source.peek();
  if (char === '"' || char === "'") return yield* readString(source, false);
  if (char === '[' || char === '(') return yield* readItems(source, char === '[' ? ']' : ')', depth);
  if (char === '{') return yield* readDict(source, depth);
  return yield* readWord(source);
}

function* readItems(source: Source, close: string, depth: number): BlockReading<PythonValue> {
  const items: Json[] = [];
  source.skip(1);
  for (;;) {
    yield* skipBlanks(source);
    if (source.peek() === close) break;
    const item = yield* readPythonValue(source, depth + 1);
    if ('problem' in item) return item;
    items.push(item.value);
    const problem = yield* takeSeparator(source, close);
    if (problem !== undefined) return { problem };
  }
  source.skip(1);
  return { value: items };
}

function* readDict(source: Source, depth: number): BlockReading<PythonValue> {
  const members = new Map<string, Json>();
  source.skip(1);
  for (;;) {
    yield* skipBlanks(source);
    if (source.peek() === '}') break;
    const key = yield* readPythonValue(source, depth + 1);
    if ('problem' in key) return key;
    yield* skipBlanks(source);
    if (source.peek() !== ':') return { problem: 'a dict needs "key": value' };
    source.skip(1);
    yield* skipBlanks(source);
    const value = yield* readPythonValue(source, depth + 1);
    if ('problem' in value) return value;
    const name = typeof key.value === 'string' ? key.value : JSON.stringify(key.value);
    if (members.has(name)) return { problem: `the key ${JSON.stringify(name.slice(0, 80))} is given twice` };
    members.set(name, value.value);
    const problem = yield* takeSeparator(source, '}');
    if (problem !== undefined) return { problem };
  }
  source.skip(1);
  return { value: Object.fromEntries(members) };
}

function* takeSeparator(source: Source, close: string): BlockReading<string | undefined> {
  yield* skipBlanks(source);
  const char = source.peek();
  if (char === ',') source.skip(1);
  return char === ',' || char === close
    ? undefined
    : `${JSON.stringify(char)} stands where "," or "${close}" should be`;
}

/** The words of Python, and those of JSON. */
export const words: Readonly<Record<string, Json>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};
const longestWord = 400;

function* readWord(source: Source): BlockReading<PythonValue> {
  let text = '';
  while (!(yield* atEnd(source)) && text.length < longestWord) {
    const char = source.peek();
    if (text.toLowerCase() === 'r' && (char === '"' || char === "'")) return yield* readString(source, true);
    if (!isNameChar(char) && char !== '+') break;
    text += char;
    source.skip(1);
  }
  if (Object.hasOwn(words, text)) return { value: words[text] as Json };
  const isNumber = /^[+-]?\.?\d/.test(text) && !text.includes('_') && Number.isFinite(Number(text));
  if (isNumber) return { value: Number(text) + 0 };
  return { problem: `${JSON.stringify((text || source.peek()).slice(0, 80))} stands where a value should be` };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

const digits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Characters of a string that are more than themselves. */
const special = /["'\\\n]/;

function* readString(source: Source, isRaw: boolean): BlockReading<PythonValue> {
  const quote = source.peek();
  const close = yield* takeQuotes(source, quote);
  if (close === '') return { value: '' };
  let text = '';
  let quotes = 0; // how many stand at the end of the text
  for (;;) {
    const plain = takeUntil(source, special);
    text += plain;
    if (plain !== '') quotes = 0;
    if (yield* atEnd(source)) return early;
    const char = source.peek();
    if (char === '\n' && close.length === 1) return { problem: 'a string has a raw line break: write it as \\n' };
    source.skip(1);
    if (char !== '\\') {
      text += char;
      quotes = char === quote ? quotes + 1 : 0;
      if (quotes === close.length) return { value: text.slice(0, -quotes) };
      continue;
    }
    quotes = 0;
    if (yield* atEnd(source)) return early;
    text += isRaw ? `\\${source.take(1)}` : yield* takeEscape(source);
  }
}

/** Takes the opening quotes, and returns the closing ones: nothing, if the string is empty and closed already. */
function* takeQuotes(source: Source, quote: string): BlockReading<string> {
  let count = 0;
  while (count < 3 && !(yield* atEnd(source)) && source.peek() === quote) {
    source.skip(1);
    count++;
  }
  return count === 2 ? '' : quote.repeat(count);
}

function* takeEscape(source: Source): BlockReading<string> {
  const char = source.take(1);
  const length = digits[char];
  if (length === undefined) return Object.hasOwn(escapes, char) ? (escapes[char] as string) : `\\${char}`;
  let code = '';
  while (code.length < length && !(yield* atEnd(source)) && /^[0-9a-fA-F]$/.test(source.peek())) code += source.take(1);
  const point = Number.parseInt(code, 16);
  if (code.length < length || point > 0x10ffff) return `\\${char}${code}`;
  return String.fromCodePoint(point);
}

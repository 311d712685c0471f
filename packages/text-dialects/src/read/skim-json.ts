import type { Json } from '@utensil/core';
import { isBlank } from '../text/lookahead.ts';
import { takeUntil } from './reading.ts';
import { createSource } from '../text/source.ts';
import type { Source } from '../text/source.ts';

/** A value that was read, or the error in its text. */
export type Typed = { readonly value: Json } | { readonly problem: string };

/** The JSON value of a whole text, as strict as {@link skimJson}; undefined if it is no JSON. */
export function jsonIn(text: string): Typed | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : tooLarge(text);
  if (typeof value !== 'object' || value === null) return { value };
  const source = createSource();
  source.append(text.trimStart());
  source.end();
  const skim = skimJson(source);
  let step = skim.next();
  while (step.done !== true) step = skim.next();
  return step.value === undefined ? { value } : { problem: step.value };
}

function tooLarge(number: string): { readonly problem: string } {
  return { problem: `the number ${number.slice(0, 80)} is too large` };
}

/** Events on the first level of an object: keys, and where their values begin and end. */
export type JsonToken =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'value'; readonly char: string }
  | { readonly type: 'end'; readonly text?: string };

type Skim<Result> = Generator<JsonToken | undefined, Result, undefined>;

type Expected = 'first-key' | 'key' | 'colon' | 'first-value' | 'value' | 'comma';

const names: Readonly<Record<Expected, string>> = {
  'first-key': 'a key in double quotes or "}"',
  key: 'a key in double quotes',
  colon: '":"',
  'first-value': 'a value or "]"',
  value: 'a value',
  comma: '"," or the closing bracket',
};

const deepest = 200;

/** A bracket that is open, and the keys of its object so far. */
interface Level {
  readonly bracket: string;
  readonly keys: Set<string>;
}

/** State of a partly read value: the open brackets, and the next expected token. */
interface Progress {
  readonly open: Level[];
  expected: Expected;
}

/**
 * Takes one JSON object or array from the source, strictly, character by character: it stops at the first that cannot
 * be part of it. Returns the error, if any. A duplicate key is an error: which value the model meant is a guess.
 */
export function* skimJson(source: Source): Skim<string | undefined> {
  const progress: Progress = { open: [], expected: 'value' };
  enter(progress, source);
  while (progress.open.length > 0) {
    const char = source.peek();
    if (char === '') {
      if (source.isEnded) return `the JSON ends where ${names[progress.expected]} should be`;
      yield undefined;
    } else if (isBlank(char)) source.skip(1);
    else {
      const problem = yield* skimToken(source, progress, char);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function enter(progress: Progress, source: Source): void {
  const bracket = source.take(1);
  progress.open.push({ bracket, keys: new Set() });
  progress.expected = bracket === '{' ? 'first-key' : 'first-value';
}

/** True if the next token is a member of the object itself. */
function isTop({ open }: Progress): boolean {
  return open.length === 1 && open[0]?.bracket === '{';
}

function* skimToken(source: Source, progress: Progress, char: string): Skim<string | undefined> {
  const { open, expected } = progress;
  const level = open.at(-1);
  const isObject = level?.bracket === '{';
  if (char === (isObject ? '}' : ']') && ['first-key', 'first-value', 'comma'].includes(expected)) {
    source.skip(1);
    open.pop();
    if (isTop(progress)) yield { type: 'end' };
    progress.expected = 'comma';
    return undefined;
  }
  if (expected === 'colon' || expected === 'comma') {
    if (char !== (expected === 'colon' ? ':' : ',')) return wrong(source, expected);
    source.skip(1);
    progress.expected = expected === 'colon' || !isObject ? 'value' : 'key';
    return undefined;
  }
  if (expected === 'value' || expected === 'first-value') return yield* skimValue(source, progress, char);
  if (char !== '"') return wrong(source, expected);
  const { text, problem } = yield* readString(source, Number.POSITIVE_INFINITY);
  if (problem !== undefined) return problem;
  if (level?.keys.has(text) === true) return `the JSON has the key ${JSON.stringify(text.slice(0, 80))} twice`;
  level?.keys.add(text);
  if (isTop(progress)) yield { type: 'key', key: text };
  progress.expected = 'colon';
  return undefined;
}

function* skimValue(source: Source, progress: Progress, char: string): Skim<string | undefined> {
  if (isTop(progress)) yield { type: 'value', char };
  if (char === '{' || char === '[') {
    if (progress.open.length >= deepest) return 'the JSON is nested too deeply';
    enter(progress, source);
    return undefined;
  }
  const { text, problem } = char === '"' ? yield* readString(source) : yield* readScalar(source);
  if (problem === undefined && isTop(progress)) yield { type: 'end', ...(char === '"' && { text }) };
  progress.expected = 'comma';
  return problem;
}

function wrong(source: Source, expected: Expected): string {
  const char = source.peek();
  const hint = char === "'" ? ': strings of JSON have double quotes' : '';
  return `the JSON has ${JSON.stringify(char)} where ${names[expected]} should be${hint}`;
}

interface Piece {
  readonly text: string;
  readonly problem?: string;
}

/** No name that matters is longer. */
const longestName = 256;

/** Characters of a string that are more than themselves. */
const special = /["\\\u0000-\u001f]/;

/** Takes a string. Its text is given if it is no longer than this. */
function* readString(source: Source, longest = longestName): Skim<Piece> {
  let text = '"';
  let escape = ''; // the received part of one
  source.skip(1);
  for (;;) {
    if (escape === '') {
      const plain = takeUntil(source, special);
      if (text.length < longest) text += plain.slice(0, longest - text.length);
    }
    const char = source.peek();
    if (char === '') {
      if (source.isEnded) return { text: '', problem: 'the JSON ends inside a string' };
      yield undefined;
      continue;
    }
    if (char < ' ')
      return { text: '', problem: 'a string of the JSON has a raw line break or control character: write it as \\n' };
    source.skip(1);
    if (text.length < longest) text += char;
    if (escape !== '') {
      escape += char;
      if (!isEscape(escape)) return { text: '', problem: `a string of the JSON has the escape ${escape}: write \\\\` };
      if (escape.length === 6 || escape[1] !== 'u') escape = '';
    } else if (char === '\\') escape = char;
    else if (char === '"') return { text: text.endsWith('"') && text.length > 1 ? unquote(text) : '' };
  }
}

function isEscape(escape: string): boolean {
  return /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{0,4})$/.test(escape);
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return ''; // it was cut
  }
}

const longestScalar = 1_000;

/** Takes a number or one of the words. */
function* readScalar(source: Source): Skim<Piece> {
  let text = '';
  for (;;) {
    const char = source.peek();
    if (char === '' && !source.isEnded) {
      yield undefined;
      continue;
    }
    if (!/^[a-zA-Z0-9+.-]$/.test(char) || text.length > longestScalar) break;
    text += char;
    source.skip(1);
  }
  if (isScalar(text)) return Number.isFinite(Number(text)) || !/\d/.test(text) ? { text } : { text, ...tooLarge(text) };
  const hint = Object.hasOwn(pythons, text) ? `: write ${pythons[text] ?? ''}` : '';
  const shown = text === '' ? JSON.stringify(source.peek()) : JSON.stringify(text.slice(0, 80));
  return { text, problem: `the JSON has ${shown} where a value should be${hint}` };
}

const pythons: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function isScalar(text: string): boolean {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
}

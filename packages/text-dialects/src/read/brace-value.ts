import type { Json } from '@utensil/core';
import type { Block, BlockReading } from './block.ts';
import { literal } from '../text/lookahead.ts';
import { readPythonValue, words } from './python-value.ts';
import { atEnd, look, skipBlanks, tell, waiting } from './reading.ts';

/** A value, or a problem. */
export type BraceValue = { readonly value: Json } | { readonly problem: string };

const deepest = 100;

/** A member, or a problem. */
type Member = { readonly key: string; readonly value: Json } | { readonly problem: string };

/** Reader of a call's values, which receives the pieces of a string as they arrive. */
export interface BraceReading {
  readonly block: Block;
  readonly quote: string;
  /** Words that end a value which has no quotation marks. */
  readonly close: string;
}

/** A value on its way: how deep it is, and whether it may be a text for which a model forgot the marks. */
interface Depth {
  readonly depth: number;
  readonly isBareText: boolean;
}

const inner = (depth: number): Depth => ({ depth: depth + 1, isBareText: false });

/**
 * Takes a value: a string in the grammar's marks or in quotation marks, a list, members in braces, a number or a word
 * of JSON. A text without marks only if it is unambiguous: in a list, its commas could be those of the list.
 */
export function* readBraceValue(reading: BraceReading, { depth, isBareText }: Depth): BlockReading<BraceValue> {
  const { block, quote } = reading;
  const { source } = block;
  if (depth > deepest) return { problem: 'the value is nested too deeply' };
  const marked = yield* look(block, (view) => literal(view, 0, quote));
  if (marked > 0) {
    source.skip(marked);
    const text = yield* readQuoted(reading);
    return text === undefined ? { problem: unclosed(quote) } : { value: text };
  }
  const char = source.peek();
  if (char === '"' || char === "'") return yield* readPythonValue(source);
  if (char === '[') return yield* readList(reading, depth);
  if (char === '{') {
    source.skip(1);
    const members = new Map<string, Json>();
    for (;;) {
      const member = yield* readMember(reading, depth);
      if (member === undefined) return { value: Object.fromEntries(members) };
      if ('problem' in member) return member;
      if (members.has(member.key)) return { problem: `the key "${member.key}" is given twice` };
      members.set(member.key, member.value);
    }
  }
  return yield* readBare(reading, isBareText);
}

export function unclosed(quote: string): string {
  return `a string has no ${quote} at its end`;
}

/** Takes a string after its opening mark, and its closing mark; undefined if that never comes. */
export function* readQuoted(
  { block: { source }, quote }: BraceReading,
  toDelta: (piece: string) => string = () => '',
): BlockReading<string | undefined> {
  let text = '';
  for (;;) {
    const rest = source.rest();
    const end = rest.indexOf(quote);
    const length = end >= 0 ? end : source.isEnded ? rest.length : Math.max(0, rest.length - quote.length + 1);
    const piece = source.take(length);
    const delta = toDelta(piece);
    text += piece;
    if (end < 0 && !source.isEnded) {
      yield waiting(delta);
      continue;
    }
    yield* tell(delta);
    if (end < 0) return undefined;
    source.skip(quote.length);
    return text;
  }
}

function* readList(reading: BraceReading, depth: number): BlockReading<BraceValue> {
  const { source } = reading.block;
  const items: Json[] = [];
  source.skip(1);
  for (;;) {
    yield* skipBlanks(source);
    if (source.peek() === ']') break;
    if (yield* atEnd(source)) return { problem: 'a list has no ] at its end' };
    const item = yield* readBraceValue(reading, inner(depth));
    if ('problem' in item) return item;
    items.push(item.value);
    yield* skipBlanks(source);
    if (source.peek() === ',') source.skip(1);
    else if (source.peek() !== ']') return { problem: 'a list needs "," between its items' };
  }
  source.skip(1);
  return { value: items };
}

/** Takes `key:value` and the comma behind it; undefined at the closing brace, which is taken too. */
function* readMember(reading: BraceReading, depth: number): BlockReading<Member | undefined> {
  const { source } = reading.block;
  const key = yield* readKey(reading);
  if (key === undefined) return undefined;
  if (typeof key !== 'string') return key;
  yield* skipBlanks(source);
  const read = yield* readBraceValue(reading, inner(depth));
  if ('problem' in read) return read;
  const problem = yield* takeComma(reading);
  return problem === undefined ? { key, value: read.value } : { problem };
}

/** Takes the key of a member and its colon; undefined at the closing brace, which is taken too. */
export function* readKey(reading: BraceReading): BlockReading<string | { readonly problem: string } | undefined> {
  const { block, quote } = reading;
  const { source } = block;
  yield* skipBlanks(source);
  if (yield* atEnd(source)) return { problem: 'the call ends before its }' };
  if (source.peek() === '}') {
    source.skip(1);
    return undefined;
  }
  const marked = yield* look(block, (view) => literal(view, 0, quote));
  let key: string | undefined;
  if (marked > 0) {
    source.skip(marked);
    key = yield* readQuoted(reading);
  } else if (source.peek() === '"') {
    const read = yield* readPythonValue(source);
    key = 'value' in read && typeof read.value === 'string' ? read.value : undefined;
  } else key = (yield* takeUntil(block, ':,{}[]\n')).trim();
  yield* skipBlanks(source);
  if (key === undefined || source.peek() !== ':') return { problem: 'key:value should be here' };
  source.skip(1);
  return key;
}

/** The comma behind a member, or the closing brace, which stays. */
export function* takeComma({ block, close }: BraceReading): BlockReading<string | undefined> {
  const { source } = block;
  yield* skipBlanks(source);
  if (source.peek() === ',') {
    source.skip(1);
    return undefined;
  }
  if (source.peek() === '}') return undefined;
  const ended = yield* look(block, (view) => literal(view, 0, close));
  return ended > 0 ? 'the call ends before its }' : 'members need "," between them';
}

const longestBare = 10_000;

function* takeUntil({ source }: Block, signs: string): BlockReading<string> {
  let text = '';
  while (!(yield* atEnd(source)) && !signs.includes(source.peek()) && text.length < longestBare) text += source.take(1);
  return text;
}

/** A number or one of the words; or a text that models forgot the marks for. */
function* readBare(reading: BraceReading, isText: boolean): BlockReading<BraceValue> {
  const text = (yield* takeUntil(reading.block, ',}]<')).trim();
  if (text === '') return { problem: 'a value should be here' };
  if (Object.hasOwn(words, text)) return { value: words[text] ?? null };
  if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text) + 0; // never -0
    return Number.isFinite(value) ? { value } : { problem: `the number ${text.slice(0, 80)} is too large` };
  }
  return !isText || /[{[:\n]/.test(text) ? { problem: `a text needs ${reading.quote} around it` } : { value: text };
}

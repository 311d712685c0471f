import { asMatch, endsLine, truncated, unnamed } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import { callEvent } from './call-event.ts';
import type { BegunCall } from './call-event.ts';
import type { Json } from '@utensil/core';
import type { PythonGrammar } from '../dialects/dialect.ts';
import { blanks, isBlank, lineEnd, literal, more, no, repeated, word } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { readPythonValue } from './python-value.ts';
import { atEnd, look, skipBlanks, skipPast } from './reading.ts';

export function opensPython({ open }: PythonGrammar, place: Place): Match {
  if (open === '') return opensBare(place);
  const end = repeated(place, open);
  if (end < 0) return asMatch(end);
  const at = blanks(place, end);
  if (at < 0) return asMatch(at);
  const isCall = opensFirst(place, at);
  if (isCall !== no) return isCall === more ? more : { length: end, isFramed: true };
  return endsLine(place, end);
}

/** A call, or a list that is empty or begins with one. */
function opensFirst(view: View, at: number): number {
  const list = literal(view, at, '[');
  if (list === more) return more;
  if (list === no) return opensName(view, at);
  const inside = blanks(view, list);
  const end = literal(view, inside, ']');
  return end === no ? opensName(view, inside) : end;
}

function opensName(view: View, at: number): number {
  return literal(view, word(view, at), '(');
}

/** A list on a line of its own, whose first call is of a known tool and has syntax that only calls have. */
function opensBare(place: Place): Match {
  if (place.indent < 0) return no;
  const start = blanks(place, literal(place, 0, '['));
  const stop = word(place, start);
  if (stop < 0) return asMatch(stop);
  if (!place.tools.has(place.text.slice(start, stop))) return no;
  const at = blanks(place, literal(place, stop, '('));
  const close = literal(place, at, ')');
  const end = close === no ? opensKeyword(place, at) : opensNext(place, close);
  return end < 0 ? asMatch(end) : { length: 0 };
}

/** `key=` or `**{`. */
function opensKeyword(view: View, at: number): number {
  const spread = literal(view, at, '**');
  if (spread !== no) return spread;
  const end = literal(view, blanks(view, word(view, at)), '=');
  if (end < 0) return end;
  const second = literal(view, end, '=');
  return second === no ? end : second === more ? more : no;
}

/** Behind a call without arguments: another, or the end of the list and the line; not the target of a link. */
function opensNext(view: View, at: number): number {
  const next = blanks(view, at);
  const comma = literal(view, next, ',');
  if (comma !== no) return comma;
  const close = literal(view, next, ']');
  const line = lineEnd(view, close);
  return line === no && close > 0 ? literal(view, close, '<|') : line; // a token behind it, whose own was dropped
}

export function* readPython(grammar: PythonGrammar, block: Block): BlockReading {
  const { source } = block;
  yield* skipBlanks(source);
  const isList = source.peek() === '[';
  if (isList) source.skip(1);
  for (let count = 0; ; count++) {
    yield* skipSeparators(source);
    if (source.peek() === ']' || source.peek() === '') break;
    if (!isList && count > 0 && (yield* look(block, (view) => opensName(view, 0))) === no) break;
    if (!(yield* readCall(grammar, block))) return 'done';
    yield* skipSeparators(source);
    if (!isList && grammar.lines !== true) break;
  }
  if (isList && source.peek() === ']') source.skip(1);
  if (grammar.close === '') return 'done';
  yield* skipBlanks(source);
  const close = yield* look(block, (view) => literal(view, 0, grammar.close));
  if (close > 0) source.skip(close);
  return 'done';
}

function* skipSeparators(source: Block['source']): BlockReading<void> {
  while (!(yield* atEnd(source)) && (isBlank(source.peek()) || source.peek() === ',')) source.skip(1);
}

interface PythonCall extends BegunCall {
  readonly grammar: PythonGrammar;
}

/** Reads a call. Whether the list goes on. */
function* readCall(grammar: PythonGrammar, block: Block): BlockReading<boolean> {
  const { source } = block;
  const begun = { grammar, block, start: source.position, whole: source.record() };
  const opened = yield* look(block, (view) => opensName(view, 0));
  if (opened === no) return yield* giveUp(begun, 'a call such as name(key="value") should be here');
  const name = source.take(opened).slice(0, -1);
  const call: PythonCall = { ...begun, name };
  yield { type: 'begin', name };
  const input = new Map<string, Json>();
  for (;;) {
    yield* skipSeparators(source);
    if (yield* atEnd(source)) return yield* giveUp(call, `the call of "${name}" is not closed`);
    if (source.peek() === ')') break;
    const read = yield* readArgument(call, input.size);
    if ('problem' in read) return yield* giveUp(call, read.problem);
    for (const [key, value] of read.members) {
      if (input.has(key)) return yield* giveUp(call, `the argument "${key}" is given twice`);
      const before = input.size === 0 ? '{' : ',';
      yield { type: 'input', delta: `${before}${JSON.stringify(key)}:${JSON.stringify(value)}` };
      input.set(key, value);
    }
    yield* skipBlanks(source);
    if (source.peek() !== ',' && source.peek() !== ')' && source.peek() !== '')
      return yield* giveUp(call, `${JSON.stringify(source.peek())} stands where "," or ")" should be`);
  }
  source.skip(1);
  yield { type: 'input', delta: input.size === 0 ? '{}' : '}' };
  yield callEvent(call, Object.fromEntries(input));
  return true;
}

type Argument = { readonly members: readonly (readonly [string, Json])[] } | { readonly problem: string };

function* readArgument({ block, name = '' }: PythonCall, index: number): BlockReading<Argument> {
  const { source, tools } = block;
  const keyword = yield* look(block, (view) => opensKeyword(view, 0));
  const key = keyword === no ? positional(tools.get(name), index) : source.take(keyword).slice(0, -1).trim();
  if (key === undefined) return { problem: 'arguments must have names: key="value"' };
  yield* skipBlanks(source);
  const read = yield* readPythonValue(source);
  if ('problem' in read) return read;
  const { value } = read;
  if (keyword === no || key !== '*') return { members: [[key, value]] };
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap ? { members: Object.entries<Json>(value) } : { problem: '** must be followed by a dict' };
}

/** The parameter of an argument without a name: certain only if it is the first, and the tool needs one, or has but one. */
function positional(tool: ReturnType<Block['tools']['get']>, index: number): string | undefined {
  if (tool === undefined || index > 0) return undefined;
  const { required, properties } = tool;
  const [only, ...others] = required.length > 0 ? required : Object.keys(properties);
  return others.length === 0 ? only : undefined;
}

/** Passes over the rest of a broken block, and reports it. */
function* giveUp(call: PythonCall, reason: string): BlockReading<false> {
  const { grammar, block, name } = call;
  if (grammar.close === '') yield* skipPast(block.source, [], block.isFenced ? ['\n```', '\n~~~'] : ['\n']);
  else yield* skipPast(block.source, [grammar.close], [grammar.open]);
  if (name === undefined) yield { type: 'begin', name: unnamed };
  yield callEvent(call, block.isCut() ? truncated : reason);
  return false;
}

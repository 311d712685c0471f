import { asMatch, truncated } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import { callEvent } from './call-event.ts';
import type { BegunCall } from './call-event.ts';
import type { Json } from '@utensil/core';
import { readBraceValue, readKey, readQuoted, takeComma, unclosed } from './brace-value.ts';
import type { BraceReading, BraceValue } from './brace-value.ts';
import { escape } from './collector.ts';
import type { BraceGrammar } from '../dialects/dialect.ts';
import { blanks, literal, no, word } from '../text/lookahead.ts';
import { look, skipBlanks, skipPast } from './reading.ts';
import { parameterSchema } from './tool-index.ts';
import { typesOf } from './typing.ts';

export function opensBraces({ open, isRest }: BraceGrammar, place: Place): Match {
  const start = blanks(place, literal(place, 0, open));
  const stop = word(place, start);
  const brace = literal(place, blanks(place, stop), '{');
  if (brace < 0) return asMatch(brace);
  const name = place.text.slice(start, stop);
  return isRest === true && !place.tools.has(name) ? no : { length: brace, name, isFramed: true };
}

/** A call that is being read. */
interface BraceCall extends BegunCall {
  readonly grammar: BraceGrammar;
  readonly name: string;
}

export function* readBraces(grammar: BraceGrammar, block: Block): BlockReading {
  const { source, opening } = block;
  const { name = '' } = opening;
  const { quote, close } = grammar;
  const call: BraceCall = { grammar, block, name, start: source.position - opening.length, whole: source.record() };
  const reading: BraceReading = { block, quote, close };
  yield { type: 'begin', name };
  const input = new Map<string, Json>();
  let isBare = false; // a comma of the text before this key could have been taken for that of the call
  for (;;) {
    const key = yield* readKey(reading);
    if (key === undefined) break;
    if (typeof key !== 'string') return yield* giveUp(call, key.problem);
    if (isBare && !isDeclared(call, key)) return yield* giveUp(call, `a text needs ${quote} around it`);
    if (input.has(key)) return yield* giveUp(call, `the argument "${key}" is given twice`);
    yield { type: 'input', delta: `${input.size === 0 ? '{' : ','}${JSON.stringify(key)}:` };
    yield* skipBlanks(source);
    isBare = !`{["'${quote}`.includes(source.peek());
    const read = yield* readTold(reading, mayBeText(call, key));
    if ('problem' in read) return yield* giveUp(call, read.problem);
    isBare &&= typeof read.value === 'string';
    input.set(key, read.value);
    const problem = yield* takeComma(reading);
    if (problem !== undefined) return yield* giveUp(call, problem);
  }
  yield { type: 'input', delta: input.size === 0 ? '{}' : '}' };
  yield callEvent(call, Object.fromEntries(input));
  yield* skipEnds(call);
  return 'done';
}

function isDeclared({ block, name }: BraceCall, key: string): boolean {
  const tool = block.tools.get(name);
  return tool === undefined || Object.keys(tool.properties).length === 0 || Object.hasOwn(tool.properties, key);
}

/** True if a value without marks can be a text: not if its parameter is a number, because `NaN` is not one. */
function mayBeText({ block, name }: BraceCall, key: string): boolean {
  const tool = block.tools.get(name);
  const types = typesOf(parameterSchema(tool, key), tool?.schema ?? {});
  return types.size === 0 || types.has('string');
}

/** Takes a value of the first level; a text is emitted as it arrives. */
function* readTold(reading: BraceReading, isBareText: boolean): BlockReading<BraceValue> {
  const { block, quote } = reading;
  const marked = yield* look(block, (view) => literal(view, 0, quote));
  if (marked === no) {
    const read = yield* readBraceValue(reading, { depth: 0, isBareText });
    if ('value' in read) yield { type: 'input', delta: JSON.stringify(read.value) };
    return read;
  }
  block.source.skip(marked);
  yield { type: 'input', delta: '"' };
  const text = yield* readQuoted(reading, escape);
  if (text === undefined) return { problem: unclosed(quote) };
  yield { type: 'input', delta: '"' };
  return { value: text };
}

/** The closing tag, which some models write twice. */
function* skipEnds({ grammar, block }: BraceCall): BlockReading<void> {
  for (;;) {
    const end = yield* look(block, (view) => literal(view, blanks(view, 0), grammar.close));
    if (end < 0) return;
    block.source.skip(end);
  }
}

/** Passes over the rest of a broken call, and reports it; the next call is not lost. */
function* giveUp(call: BraceCall, reason: string): BlockReading<'done'> {
  const { grammar, block } = call;
  yield* skipPast(block.source, [grammar.close], [grammar.open]);
  yield callEvent(call, block.isCut() ? truncated : reason);
  return 'done';
}

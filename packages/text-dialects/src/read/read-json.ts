import { isObject } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';
import { malformed, truncated, unnamed } from './block.ts';
import type { Block, BlockReading, ReadCall } from './block.ts';
import type { JsonGrammar } from '../dialects/dialect.ts';
import { giveUp } from './give-up.ts';
import { opensNamed, otherKeys } from './opens-json.ts';
import { isBlank, literal, more, no } from '../text/lookahead.ts';
import { atEnd, look, skipBlanks, tell, waiting } from './reading.ts';
import { jsonIn, skimJson } from './skim-json.ts';
import type { JsonToken } from './skim-json.ts';
import type { Recording } from '../text/source.ts';

export function* readJson(grammar: JsonGrammar, block: Block): BlockReading {
  const { source, opening } = block;
  const isBare = opening.isFramed !== true;
  if (!isBare) yield* skipBlanks(source);
  if (grammar.between !== undefined && source.peek() !== '[' && source.peek() !== '{') {
    return yield* readNamed(grammar, block);
  }
  const isList = source.peek() === '[';
  if (isList) source.skip(1);
  for (let count = 0; ; count++) {
    yield* skipSeparators(source, count > 0 && (isList || !isBare));
    if (source.peek() !== '{') {
      if (count > 0) break;
      if (isBare) return 'text';
      return yield* giveUp(grammar, block, { reason: 'a JSON object should begin here', whole: source.record() });
    }
    const end = yield* readObject(grammar, block, {
      isBare: isBare && count === 0,
      resumes: isList ? nextOf(grammar) : [],
    });
    if (end === 'done' && isList && (yield* goesOn(grammar, block))) continue;
    if (end !== 'call') return end;
    if (isBare && !isList) return 'done';
  }
  yield* skipEnd(grammar, block, isList);
  return 'done';
}

/** The start of the next call of a list, if the one before it is broken: on a line, which no string of JSON has in it. */
function nextOf({ counts }: JsonGrammar): readonly string[] {
  return counts === undefined ? [] : ['', '  ', '    '].map((blank) => `\n${blank}{"${counts}"`);
}

/** True if a broken call was passed over up to the next one of its list. */
function* goesOn(grammar: JsonGrammar, block: Block): BlockReading<boolean> {
  for (const word of nextOf(grammar)) if ((yield* look(block, (view) => literal(view, 0, word))) !== no) return true;
  return false;
}

function* skipSeparators(source: Block['source'], isBehind: boolean): BlockReading<void> {
  for (;;) {
    yield* skipBlanks(source);
    const char = source.peek();
    if (!isBehind || (char !== ',' && char !== ';')) return;
    source.skip(1);
  }
}

/** The end of the list and of the block; superfluous brackets are skipped. */
function* skipEnd({ close }: JsonGrammar, { source, isCut }: Block, isList: boolean): BlockReading<void> {
  if (isList && source.peek() === ']') source.skip(1);
  if (close === '') return;
  for (;;) {
    if (yield* atEnd(source)) return;
    const char = source.peek();
    if (!isBlank(char) && !'}])'.includes(char)) break;
    source.skip(1);
  }
  for (;;) {
    const end = literal({ text: source.rest(), isEnded: source.isEnded }, 0, close);
    if (end > 0) source.skip(end);
    else if (end === no && source.isEnded && isCut() && close.startsWith(source.rest()))
      source.skip(source.rest().length);
    if (end !== more) return;
    yield undefined;
  }
}

function* readNamed(grammar: JsonGrammar, block: Block): BlockReading {
  const { source } = block;
  const whole = source.record();
  const found = yield* look(block, (view) => opensNamed(grammar, view, 0));
  if (found === no) return yield* giveUp(grammar, block, { reason: 'a JSON object should begin here', whole });
  const name = source.take(found.name);
  source.skip(found.end - found.name);
  yield* skipBlanks(source);
  if (source.peek() !== '{') {
    return yield* giveUp(grammar, block, { reason: 'the arguments must be a JSON object', whole, name });
  }
  const read = yield* readObject(grammar, block, { isBare: false, name });
  return read === 'call' ? 'done' : read;
}

export interface Shape {
  readonly isBare: boolean;
  /** Known before the object, which then is the arguments. */
  readonly name?: string;
  /** Words at which reading goes on behind a broken call. */
  readonly resumes?: readonly string[];
}

/** An object that is being read as a call. */
interface OpenObject extends Shape {
  readonly grammar: JsonGrammar;
  readonly tools: Block['tools'];
  isBegun: boolean;
  found: string | undefined;
  input: Recording | undefined;
  key: string;
}

/** Takes an object as a call. One that is broken is told, and `done` is how far it was passed over. */
export function* readObject(grammar: JsonGrammar, block: Block, shape: Shape): BlockReading<'call' | 'done' | 'text'> {
  const { source, tools } = block;
  const start = source.position;
  const whole = source.record();
  const input = shape.name === undefined ? undefined : whole;
  const object: OpenObject = { ...shape, grammar, tools, found: shape.name, input, key: '', isBegun: false };
  const skim = skimJson(source);
  let step = skim.next();
  for (; step.done !== true; step = skim.next()) {
    const token = step.value;
    if (token !== undefined && !isCall(object, token, source) && !object.isBegun) return 'text';
    yield* begin(object);
    if (token === undefined) yield waiting(object.isBegun ? (object.input?.fresh() ?? '') : '');
  }
  yield* begin(object);
  if (shape.isBare && !object.isBegun) return 'text';
  if (object.isBegun) yield* tell(object.input?.fresh() ?? ''); // before the error, because another cut would have emitted it already
  if (step.value !== undefined) {
    object.input?.stop();
    const reason = block.isCut() ? truncated : step.value;
    const { found: name = unnamed, isBegun } = object;
    return yield* giveUp(grammar, block, { reason, whole, start, name, isBegun, resumes: shape.resumes });
  }
  whole.stop();
  yield* complete(object, { text: whole.text(), start, end: source.position });
  return 'call';
}

/** Tells that a call begins, once that is certain. */
function* begin(object: OpenObject): BlockReading<void> {
  if (object.isBegun || !hasBegun(object)) return;
  object.isBegun = true;
  yield { type: 'begin', name: object.found ?? unnamed };
}

function* complete(object: OpenObject, place: Pick<ReadCall, 'text' | 'start' | 'end'>): BlockReading<void> {
  const read = withoutSchema(interpret(object, place.text), object.isBare);
  if (!object.isBegun) yield { type: 'begin', name: read.name };
  yield* tell(object.input?.fresh() ?? '');
  if (object.input === undefined && read.problem === undefined)
    yield { type: 'input', delta: JSON.stringify(read.input) };
  yield { type: 'call', call: { ...read, ...place } };
}

/** Takes notice of a token. Whether the object can still be a call. */
function isCall(object: OpenObject, token: JsonToken, source: Block['source']): boolean {
  const { grammar, isBare, tools } = object;
  if (object.name !== undefined) return true;
  if (token.type === 'key') {
    object.key = token.key;
    return !isBare || isKey(grammar, token.key);
  }
  const isInput = grammar.input.includes(object.key);
  if (token.type === 'value') {
    if (!isInput || object.input !== undefined) return true;
    if (token.char === '{') object.input = source.record();
    return !isBare || token.char === '{';
  }
  if (isInput) object.input?.stop();
  else if (token.text !== undefined && object.found === undefined && grammar.name.includes(object.key)) {
    if (isBare && !tools.has(token.text)) return false;
    object.found = token.text;
  }
  return true;
}

function isKey({ name, input }: JsonGrammar, key: string): boolean {
  return name.includes(key) || input.includes(key) || otherKeys.includes(key);
}

/** True if this is certainly a call. */
function hasBegun({ found, input, isBare }: OpenObject): boolean {
  return found !== undefined && (input !== undefined || !isBare);
}

interface Read {
  readonly name: string;
  readonly input: JsonObject;
  readonly problem?: string;
}

/**
 * Takes an object literally. One that names two tools, or has arguments twice, is ambiguous, and therefore not a call.
 */
function interpret({ grammar, tools, name: known, found }: OpenObject, text: string): Read {
  const value = JSON.parse(text) as JsonObject;
  if (known !== undefined) return { name: known, input: value };
  const own = (key: string): Json | undefined => (Object.hasOwn(value, key) ? value[key] : undefined);
  const names = grammar.name.map(own).filter((each): each is string => typeof each === 'string' && each !== '');
  const [name] = names;
  if (name === undefined) {
    return { name: unnamed, input: {}, problem: malformed(`"${grammar.name[0]}" must be the name of a tool`) };
  }
  const isOther = (each: string): boolean => each !== name && tools.has(each);
  if (names.some(isOther) || (found !== undefined && found !== name)) {
    const problem = malformed(`the call names more than one tool: ${[...new Set(names)].join(', ').slice(0, 200)}`);
    return { name: found ?? name, input: {}, problem };
  }
  const inputs = grammar.input.map(own).filter((each) => each !== undefined && each !== null);
  if (inputs.length > 1) return { name, input: {}, problem: malformed('the arguments are given twice') };
  const input = inputs[0] ?? null;
  if (isObject(input)) return { name, input };
  if (input === null) return { name, input: {} };
  const read = typeof input === 'string' ? jsonIn(input.trim() === '' ? '{}' : input) : undefined; // as a text
  if (read !== undefined && 'value' in read && isObject(read.value)) return { name, input: read.value };
  const reason = read !== undefined && 'problem' in read ? `: ${read.problem}` : '';
  return { name, input: {}, problem: malformed(`"${grammar.input[0]}" must be a JSON object${reason}`) };
}

/** A bare object whose arguments are a schema describes the tool: documentation, and no call. */
function withoutSchema(read: Read, isBare: boolean): Read {
  const isSchema = isBare && read.input['type'] === 'object' && isObject(read.input['properties']);
  if (!isSchema || read.problem !== undefined) return read;
  return { ...read, input: {}, problem: malformed('the arguments are the schema of the tool, not values for it') };
}

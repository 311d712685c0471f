import type { JsonObject } from '@utensil/core';
import { asMatch, endsLine, truncated, unnamed } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import { callEvent } from './call-event.ts';
import { createCollector } from './collector.ts';
import { decodeKey } from './keys.ts';
import type { TagGrammar } from '../dialects/dialect.ts';
import { blanks, fill, firstWord, lineEnd, literal, more, no, tag } from '../text/lookahead.ts';
import type { Tag, View } from '../text/lookahead.ts';
import { look, skipBlanks, skipPast, tell } from './reading.ts';
import type { OpenCall } from './tag-call.ts';
import { opensNext, readValue } from './tag-value.ts';
import type { IndexedTool } from './tool-index.ts';

export function opensTags(grammar: TagGrammar, place: Place): Match {
  const { frame } = grammar;
  const framed = frame === undefined ? no : literal(place, 0, frame[0]);
  if (framed === more) return more;
  return framed === no ? opensCall(grammar, place) : opensFrame(grammar, place, framed);
}

function opensFrame(grammar: TagGrammar, place: Place, end: number): Match {
  const inside = blanks(place, end);
  if (inside < 0) return asMatch(inside);
  const call = tag(place, inside, grammar.call[0]);
  if (call === more) return more;
  if (call !== no) return { length: end, isFramed: true };
  return endsLine(place, end);
}

function opensCall(grammar: TagGrammar, place: Place): Match {
  const call = tag(place, 0, grammar.call[0]);
  if (call === more) return more;
  if (call === no) return grammar.strict === true ? opensStray(grammar, place) : no;
  const isKnown = grammar.name !== undefined || place.tools.has(call.name);
  if (!isKnown && grammar.knownOnly === true) return no;
  const next = opensContent(grammar, place, call);
  if (next === more) return more;
  const found = { length: call.end, ...(grammar.name === undefined && { name: call.name }) };
  if (next !== no) return found;
  if (place.indent < 0 || grammar.knownOnly === true) return no;
  const line = lineEnd(place, call.end);
  return line < 0 ? asMatch(line) : { ...found, isWeak: true };
}

/** The beginning of a call: its name, a parameter, or its end. */
function opensContent(grammar: TagGrammar, place: Place, call: Tag): number {
  const at = blanks(place, call.end);
  if (at < 0) return at;
  if (grammar.name !== undefined) return literal(place, at, fill(grammar.parameter[0], grammar.name));
  const close = literal(place, at, fill(grammar.call[1], call.name));
  if (close !== no) return close;
  const parameter = tag(place, at, grammar.parameter[0]);
  if (parameter === more) return more;
  if (parameter === no)
    return grammar.recovers === true && place.tools.has(call.name)
      ? literal(place, at, firstWord(grammar.parameter[0]))
      : no;
  const tool = place.tools.get(call.name);
  const isMeant = grammar.knownOnly !== true || tool === undefined || isParameter(tool, parameter.name);
  return isMeant ? parameter.end : no;
}

function isParameter(tool: NonNullable<ReturnType<Place['tools']['get']>>, key: string): boolean {
  const isFree = Object.keys(tool.properties).length === 0 && tool.schema['additionalProperties'] !== false;
  return isFree || Object.hasOwn(tool.properties, key) || tool.singulars.has(key);
}

/** The end of a call that never began, alone on its line. */
function opensStray(grammar: TagGrammar, place: Place): Match {
  const close = tag(place, 0, grammar.call[1]);
  if (typeof close === 'number') return close;
  if (place.indent < 0 || !place.tools.has(close.name)) return no;
  const line = lineEnd(place, close.end);
  return line < 0 ? asMatch(line) : { length: close.end, name: close.name, isStray: true };
}

export function* readTags(grammar: TagGrammar, block: Block): BlockReading {
  const { source, opening } = block;
  if (opening.isStray === true) {
    yield* report(openCall(grammar, block), `the closing tag of "${opening.name ?? ''}" has no opening tag`);
    return 'done';
  }
  if (opening.isFramed !== true) {
    yield* readCall(grammar, block, opening.name);
    return 'done';
  }
  const [, close] = grammar.frame as readonly [string, string];
  for (let count = 0; ; count++) {
    yield* skipBlanks(source);
    const next = yield* look(block, (view) => {
      const end = literal(view, 0, close);
      return end === no ? tag(view, 0, grammar.call[0]) : end;
    });
    if (typeof next === 'object') {
      source.skip(next.end);
      if (!(yield* readCall(grammar, block, grammar.name === undefined ? next.name : undefined))) return 'done';
    } else {
      if (next !== no) source.skip(next);
      if (count > 0) return 'done';
      const call = openCall(grammar, block);
      if (next === no) yield* skipPast(source, [close]);
      yield* report(call, `a call (${fill(grammar.call[0], 'name')}) should begin here`);
      return 'done';
    }
  }
}

function openCall(grammar: TagGrammar, block: Block): OpenCall {
  const start = block.source.position - (block.opening.isFramed === true ? 0 : block.opening.length);
  const collector = createCollector(block.tools.get(block.opening.name ?? ''));
  return { grammar, block, start, whole: block.source.record(), name: block.opening.name, collector };
}

/** Reads one call whose opening tag was taken. Whether another may follow. */
function* readCall(grammar: TagGrammar, block: Block, name: string | undefined): BlockReading<boolean> {
  const { source, tools } = block;
  const call: OpenCall = { ...openCall(grammar, block), name, collector: createCollector(tools.get(name ?? '')) };
  if (name !== undefined) yield { type: 'begin', name };
  for (;;) {
    yield* skipBlanks(source);
    const next = yield* look(block, (view) => nextPart(call, view));
    source.skip(next.end);
    if (next.kind === 'parameter') {
      const problem = yield* readParameter(call, next.name);
      if (problem === undefined) continue;
      return yield* giveUp(call, problem);
    }
    if (next.kind === 'problem') return yield* giveUp(call, next.problem);
    if (call.name === undefined) return yield* giveUp(call, 'missing tool name', true);
    yield* complete(call, call.name);
    return next.kind === 'close';
  }
}

type NextPart =
  | { readonly kind: 'parameter'; readonly name: string; readonly end: number }
  | { readonly kind: 'close' | 'end'; readonly end: number }
  | { readonly kind: 'problem'; readonly problem: string; readonly end: number };

/** Text in a call, between its parameters. */
function nextPart({ grammar, name, block }: OpenCall, view: View): NextPart | typeof more {
  const close = literal(view, 0, fill(grammar.call[1], name ?? ''));
  if (close === more) return more;
  if (close !== no) return { kind: 'close', end: close };
  if (view.text === '') {
    const isLost = grammar.strict === true || block.isCut();
    const problem = block.isCut() ? truncated : `"${name ?? ''}" is not closed`;
    return isLost ? { kind: 'problem', problem, end: 0 } : { kind: 'end', end: 0 };
  }
  const parameter = tag(view, 0, grammar.parameter[0]);
  if (parameter === more) return more;
  if (parameter === no && grammar.recovers === true) {
    const next = opensNext(grammar, view, 0);
    if (next !== no) return next === more ? more : { kind: 'end', end: 0 };
  }
  if (parameter !== no) return { kind: 'parameter', name: parameter.name, end: parameter.end };
  return mistake(grammar, view, name ?? '');
}

function mistake(grammar: TagGrammar, view: View, name: string): NextPart | typeof more {
  const problems: readonly (readonly [template: string, say: (found: string) => string])[] = [
    [grammar.call[0], (found) => `"${found}" begins inside of "${name}"`],
    [grammar.call[1], (found) => `"${name}" is closed as "${found}"`],
    [grammar.parameter[1], (found) => `the parameter "${found}" is closed and was not opened`],
  ];
  for (const [template, say] of problems) {
    const found = tag(view, 0, template);
    if (found === more) return more;
    if (found !== no) return { kind: 'problem', problem: say(found.name), end: 0 };
  }
  return { kind: 'problem', problem: 'Only parameter tags are allowed inside tool blocks', end: 0 };
}

function* readParameter(call: OpenCall, key: string): BlockReading<string | undefined> {
  const { grammar, block } = call;
  if (call.name === undefined) {
    if (key !== grammar.name) return 'missing tool name';
    let name = '';
    const problem = yield* readValue(call, key, (text) => void (name += text));
    if (problem !== undefined) return problem;
    call.name = name.trim();
    if (call.name === '') return 'missing tool name';
    call.collector = createCollector(block.tools.get(call.name));
    yield { type: 'begin', name: call.name };
    return undefined;
  }
  const slot = call.collector.open(decodeKey(key));
  if (typeof slot === 'string') return slot;
  const problem = yield* readValue(call, key, slot.write);
  if (problem !== undefined) return problem;
  const wrong = slot.close();
  yield* tell(call.collector.fresh());
  return wrong;
}

function* complete(call: OpenCall, name: string): BlockReading<void> {
  const input = call.collector.end();
  if (typeof input === 'string') return yield* report(call, input);
  const all = wrapped(input, call.block.tools.get(name));
  if (all !== undefined)
    return yield* report(call, `"${all}" is not a parameter: pass each argument as a parameter of its own`);
  yield* tell(call.collector.fresh());
  yield callEvent(call, input);
}

/** The only parameter, if the model wrote all arguments into it as JSON, and the tool has none of that name. */
function wrapped(input: JsonObject, tool: IndexedTool | undefined): string | undefined {
  const [[key, value] = ['', null], ...others] = Object.entries(input);
  const isWord = (key === 'arguments' || key === 'input') && others.length === 0;
  const isObject = typeof value === 'string' && value.trimStart().startsWith('{');
  return isWord && isObject && tool !== undefined && !Object.hasOwn(tool.properties, key) ? key : undefined;
}

/** Passes over the rest of a broken call, and reports it. Whether another call may follow. */
function* giveUp(call: OpenCall, reason: string, isClosed = false): BlockReading<boolean> {
  const { grammar, block } = call;
  const close = fill(grammar.call[1], grammar.call[1].includes('{name}') ? (call.name ?? '') : '');
  const word = firstWord(grammar.call[0]);
  const again =
    grammar.recovers === true ? [word, ...(grammar.frame ?? [])] : grammar.strict === true ? [`\n${word}`] : [];
  const isFound = isClosed || (yield* skipPast(block.source, [close], again));
  yield* report(call, block.isCut() && !isFound ? truncated : reason);
  return isFound;
}

function* report(call: OpenCall, reason: string): BlockReading<void> {
  const { name = unnamed, block } = call;
  if (call.name === undefined || block.opening.isStray === true) yield { type: 'begin', name };
  yield callEvent(call, reason);
}

import type { Block, Place } from './block.ts';
import { advance, plainLength } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { Dialect } from './dialect.ts';
import { fencedCall, fenceEnd, runLength } from './fence.ts';
import { closers, grammarsOf, read, starts } from './grammar.ts';
import { guard } from './guard.ts';
import { literal, more, no } from './lookahead.ts';
import { openingAt } from './opening.ts';
import type { Found } from './opening.ts';
import { resultOpenings } from './results.ts';
import { roleLine, roleSign, scanFirstRole, skipEmptyLines } from './roles.ts';
import type { Scan } from './scan-event.ts';
import type { Source } from './source.ts';
import { scanThoughts } from './thoughts.ts';
import type { ToolIndex } from './tool-index.ts';

export interface ScanOptions {
  /** In order of preference. */
  readonly dialects: readonly Dialect[];
  readonly tools: ToolIndex;
  /** What encloses thoughts at the beginning of a turn. */
  readonly think: readonly [open: string, close: string] | undefined;
  /** How many characters a call may have. */
  readonly longest: number;
  /** Lines that tell turns apart are taken out of text. */
  readonly hidesRoles: boolean;
  /** The output limit cut the turn off. */
  isCut(): boolean;
}

/** Tells text from calls. Every decision depends on the text alone, never on how it was cut into pieces. */
export function* scan(source: Source, options: ScanOptions): Scan {
  const cursor: Cursor = { indent: 0, isQuote: false, ticks: 0, fence: undefined, calls: 0 };
  const signs = new Set([
    '`',
    '~',
    roleSign,
    ...options.dialects.flatMap(grammarsOf).flatMap((grammar) => starts(grammar).map((word) => word.charAt(0))),
  ]);
  const later = new Set([...signs, ...options.dialects.flatMap(afterCall).map((text) => text.charAt(0))]);
  if (options.hidesRoles) yield* scanFirstRole(source);
  if (options.think !== undefined) yield* scanThoughts(source, options.think);
  for (;;) {
    const rest = source.rest();
    if (rest === '') {
      if (source.isEnded) return;
      yield undefined;
      continue;
    }
    const length = plainLength(cursor, rest, cursor.calls > 0 ? later : signs);
    if (length > 0) {
      yield { type: 'text', text: source.take(length) };
      continue;
    }
    const sign = rest.charAt(0);
    const isFence = sign === '`' || sign === '~';
    const isHalted = isFence ? yield* scanFence(source, options, cursor) : yield* scanSign(source, options, cursor);
    if (isHalted) return;
  }
}

/** What ends the calls of a turn, or is left over from them. */
function afterCall(dialect: Dialect): readonly string[] {
  return [...grammarsOf(dialect).flatMap(closers), ...resultOpenings(dialect)];
}

function* asText(source: Source, cursor: Cursor, length: number): Scan<false> {
  const text = source.take(length);
  for (const char of text) advance(cursor, char);
  yield { type: 'text', text };
  return false;
}

/** At a character with which a call may begin. Whether the scan is over. */
function* scanSign(source: Source, options: ScanOptions, cursor: Cursor): Scan<boolean> {
  const isCode = (cursor.fence !== undefined && !cursor.fence.isCall) || cursor.ticks > 0 || cursor.isQuote;
  if (isCode) return yield* asText(source, cursor, 1);
  for (;;) {
    const isCutOff = source.isEnded && options.isCut();
    const place: Place = {
      text: source.rest(),
      isEnded: source.isEnded && !isCutOff,
      tools: options.tools,
      indent: cursor.indent,
    };
    const left = cursor.calls > 0 ? leftOver(options.dialects, place) : no;
    const found = left === no ? openingAt(options.dialects, place) : no;
    if (left === 'halt') {
      yield { type: 'halt' };
      return true;
    }
    if (typeof left === 'object') {
      source.skip(left.end);
      return false;
    }
    if (typeof found === 'object') return yield* scanBlock(source, { options, cursor }, { ...found, before: 0 });
    const role = options.hidesRoles ? roleLine({ ...place, isEnded: source.isEnded }, cursor.indent === 0) : no;
    if (role >= 0) {
      source.skip(role);
      cursor.indent = 0;
      yield* skipEmptyLines(source);
      return false;
    }
    if (left === no && found === no && role === no) return yield* asText(source, cursor, 1);
    if (isCutOff) return true; // a call would have begun here
    yield undefined;
  }
}

function leftOver(dialects: readonly Dialect[], place: Place): 'halt' | { end: number } | typeof no | typeof more {
  let isOpen = false;
  for (const dialect of dialects) {
    for (const close of grammarsOf(dialect).flatMap(closers)) {
      const end = literal(place, 0, close);
      if (end > 0) return isOpen ? more : { end };
      isOpen ||= end === more;
    }
    if (place.indent < 0) continue;
    for (const open of resultOpenings(dialect)) {
      const end = literal(place, 0, open);
      if (end > 0) return isOpen ? more : 'halt';
      isOpen ||= end === more;
    }
  }
  return isOpen ? more : no;
}

/** At a backtick or tilde. */
function* scanFence(source: Source, options: ScanOptions, cursor: Cursor): Scan<boolean> {
  const sign = source.peek();
  for (;;) {
    const view: Place = { text: source.rest(), isEnded: source.isEnded, tools: options.tools, indent: cursor.indent };
    const { fence } = cursor;
    const end = fence === undefined ? no : fenceEnd(view, fence);
    const found = fence === undefined && !cursor.isQuote ? fencedCall(options.dialects, view) : no;
    if (end === more || found === more) {
      yield undefined;
      continue;
    }
    if (fence !== undefined && end !== no) {
      cursor.fence = undefined;
      if (!fence.isCall) return yield* asText(source, cursor, end);
      source.skip(end);
      cursor.indent = 0;
      return false;
    }
    if (typeof found === 'object' && 'opening' in found) {
      cursor.fence = { ...found.fence, isCall: true };
      return yield* scanBlock(source, { options, cursor }, found);
    }
    if (typeof found === 'object') {
      cursor.fence = found.fence;
      return yield* asText(source, cursor, found.length);
    }
    const length = runLength(view.text);
    if (length === view.text.length && !view.isEnded) {
      yield undefined;
      continue;
    }
    if (sign === '`' && cursor.fence === undefined) {
      if (cursor.ticks === 0) cursor.ticks = length;
      else if (cursor.ticks === length) cursor.ticks = 0;
    }
    return yield* asText(source, cursor, length);
  }
}

interface Scanning {
  readonly options: ScanOptions;
  readonly cursor: Cursor;
}

/** Reads a block of calls; `before` is what stands before its opening and goes with it. Whether the scan is over. */
function* scanBlock(
  source: Source,
  { options, cursor }: Scanning,
  { dialect, grammar, opening, before }: Found & { readonly before: number },
): Scan<boolean> {
  const whole = source.record();
  source.skip(before + opening.length);
  const isFenced = before > 0;
  const block: Block = { source, tools: options.tools, opening, isCut: options.isCut, isFenced };
  const end = yield* guard(read(grammar, block), { source, longest: options.longest, whole, dialect, opening });
  whole.stop();
  if (end === 'halt') {
    yield { type: 'halt' };
    return true;
  }
  if (end === 'done') {
    cursor.calls++;
    cursor.indent = 0; // what follows directly may be a call, as at the beginning of a line
    return false;
  }
  if (cursor.fence !== undefined) cursor.fence = { ...cursor.fence, isCall: isFenced ? false : cursor.fence.isCall };
  if (source.isEnded && source.rest() === '' && options.isCut()) return true; // half of a call is nothing to show
  const text = whole.text();
  for (const char of text) advance(cursor, char);
  if (text !== '') yield { type: 'text', text };
  else yield* asText(source, cursor, 1); // the reader took nothing: it must not be asked again
  return false;
}

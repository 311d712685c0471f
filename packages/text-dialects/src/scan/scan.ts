import type { Block, Place } from '../read/block.ts';
import { advance, codeSigns, createCursor } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { fencedCall, fenceEnd, runLength } from './fence.ts';
import { read } from '../read/grammar.ts';
import { guard } from './guard.ts';
import type { Lexicon } from './lexicon.ts';
import { more, no } from '../text/lookahead.ts';
import { nearby } from './near.ts';
import type { Found } from './opening.ts';
import type { ResultQuote } from '../write/results.ts';
import { scanFirstRole, skipEmptyLines } from './roles.ts';
import type { Scan, ScanEvent } from './scan-event.ts';
import { begunAt, createSignFinder } from './sign.ts';
import type { SignFinder } from './sign.ts';
import { createSource } from '../text/source.ts';
import type { Source } from '../text/source.ts';
import { keptLength, noteMention, scanFirstThoughts, scanThought, trailingCalls } from './thoughts.ts';
import type { ToolIndex } from '../read/tool-index.ts';

export interface ScanOptions {
  readonly lexicon: Lexicon;
  readonly tools: ToolIndex;
  /** Maximum number of characters in a call. */
  readonly longest: number;
  /** Lines that tell turns apart are taken out of text. */
  readonly hidesRoles: boolean;
  /** The turn begins inside a thought. Asked once the first text is there. */
  isOpened(): boolean;
  /** The output limit cut the turn off. */
  isCut(): boolean;
}

/** Tells text from calls. Every decision depends on the text alone, never on how it was cut into pieces. */
export function* scan(source: Source, options: ScanOptions): Scan {
  const { lexicon } = options;
  const cursor = createCursor();
  if (options.hidesRoles) yield* scanFirstRole(source);
  while (source.peek() === '' && !source.isEnded) yield undefined;
  const { thoughts } = lexicon;
  yield* scanFirstThoughts(source, {
    thoughts,
    isOpened: options.isOpened(),
    reread: (text) => reread(text, options),
    answer: (text) => reread(text, options, lexicon),
  });
  if (yield* scanBegun(source, options, cursor)) return;
  const signAt = createSignFinder({ lexicon, tools: options.tools, cursor, hidesRoles: options.hidesRoles });
  for (;;) {
    const rest = source.rest();
    if (rest === '') {
      if (source.isEnded) return;
      yield undefined;
      continue;
    }
    const signs = codeSigns(cursor) ?? (cursor.calls > 0 ? lexicon.later : lexicon.signs);
    const length = signs.plainLength(rest, source.isEnded && !options.isCut() && cursor.calls === 0);
    if (length > 0) yield* asText(source, cursor, length);
    if (length === rest.length) continue;
    const sign = source.peek();
    const isFence = sign === '`' || sign === '~';
    const scanning = { options, cursor };
    const isHalted = isFence ? yield* scanFence(source, options, cursor) : yield* scanSign(source, scanning, signAt);
    if (isHalted) return;
  }
}

/** Events of a thought that was never closed, if it was the answer: nothing, if the output limit ended it. */
function reread(
  text: string,
  options: ScanOptions,
  lexicon: Lexicon = { ...options.lexicon, thoughts: [] },
): readonly ScanEvent[] {
  if (options.isCut()) return [];
  const source = createSource();
  source.append(text);
  source.end();
  const plain = { ...options, lexicon, isOpened: () => false };
  return [...scan(source, plain)].filter((event) => event !== undefined);
}

function* asText(source: Source, cursor: Cursor, length: number): Scan<false> {
  const text = source.take(length);
  advance(cursor, text);
  yield { type: 'text', text };
  return false;
}

/** At a character with which a call may begin. Whether the scan is over. */
function* scanSign(source: Source, { options, cursor }: Scanning, signAt: SignFinder): Scan<boolean> {
  if (codeSigns(cursor) !== undefined) return yield* asText(source, cursor, 1);
  for (;;) {
    const isCutOff = source.isEnded && options.isCut();
    const view = { text: source.rest(), isEnded: source.isEnded };
    const sign = signAt(view, isCutOff);
    if (sign === no) {
      noteMention(view, nearby(options.lexicon, view.text), cursor);
      return yield* asText(source, cursor, 1);
    }
    if (sign === more) {
      if (isCutOff) return true; // a call would have begun here
      if (source.isEnded) return yield* asText(source, cursor, 1);
      yield undefined;
      continue;
    }
    if (sign.type === 'block') return yield* scanBlock(source, { options, cursor }, { ...sign.found, before: 0 });
    if (sign.type === 'halt') {
      yield { type: 'halt' };
      return true;
    }
    if (sign.type === 'result') return yield* scanResult(source, cursor, sign.quote);
    source.skip(sign.end);
    if (sign.type === 'role') {
      cursor.indent = 0;
      yield* skipEmptyLines(source);
    } else if (sign.type === 'thought') {
      yield* scanThought(source, sign.thought, (text) => trailingCalls(reread(text, options)));
      cursor.indent = 0;
    } else if (sign.type === 'close') {
      cursor.indent = 0;
      yield { type: 'void' };
      yield* skipEmptyLines(source);
    }
    return false;
  }
}

/** A result that the model quotes, or makes up: text up to the end of its frame, whatever calls are in it. */
function* scanResult(source: Source, cursor: Cursor, { open, close }: ResultQuote): Scan<false> {
  yield* asText(source, cursor, open.length);
  for (;;) {
    const rest = source.rest();
    const end = close === '' ? -1 : rest.indexOf(close);
    const isAll = close === '' || source.isEnded;
    const length = end >= 0 ? end + close.length : isAll ? rest.length : keptLength(rest, close);
    if (length > 0) yield* asText(source, cursor, length);
    if (end >= 0 || source.isEnded) return false;
    yield undefined;
  }
}

/** At the beginning of the turn: calls, or a token, of which the chat template has written the beginning. */
function* scanBegun(source: Source, options: ScanOptions, cursor: Cursor): Scan<boolean> {
  const begins = options.lexicon.dialects[0]?.begins;
  if (begins === undefined) return false;
  for (;;) {
    const found = begunAt({ text: begins + source.rest(), isEnded: source.isEnded }, begins, options);
    if (found === more) {
      yield undefined;
      continue;
    }
    if (typeof found !== 'object') {
      if (found !== no) source.skip(found - begins.length);
      return false;
    }
    const { calls } = cursor;
    if (yield* scanBlock(source, { options, cursor }, { ...found, before: -begins.length })) return true;
    if (cursor.calls === calls) return false;
  }
}

/** At a backtick or tilde. */
function* scanFence(source: Source, options: ScanOptions, cursor: Cursor): Scan<boolean> {
  const sign = source.peek();
  for (;;) {
    const view: Place = { text: source.rest(), isEnded: source.isEnded, tools: options.tools, indent: cursor.indent };
    const { fence } = cursor;
    const end = fence === undefined ? no : fenceEnd(view, fence);
    const found = fence === undefined && !cursor.isQuote ? fencedCall(options.lexicon.forms, view) : no;
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

/**
 * Reads a block of calls; `before` is the text before its opening that belongs to it. Returns true if the scan is over.
 */
function* scanBlock(
  source: Source,
  { options, cursor }: Scanning,
  { dialect, grammar, opening, before }: Found & { readonly before: number },
): Scan<boolean> {
  const running = source.recordings;
  const whole = source.record();
  source.skip(before + opening.length);
  const isFenced = before > 0;
  const block: Block = { source, tools: options.tools, opening, isCut: options.isCut, isFenced };
  const { longest } = options;
  const end = yield* guard(read(grammar, block), { source, longest, whole, dialect, grammar, opening });
  source.stopRecordings(running);
  if (end === 'halt') {
    yield { type: 'halt' };
    return true;
  }
  if (end === 'done') {
    yield { type: 'block-end', text: whole.text() };
    cursor.calls++;
    cursor.indent = 0; // what follows directly may be a call, as at the beginning of a line
    return false;
  }
  if (cursor.fence !== undefined) cursor.fence = { ...cursor.fence, isCall: isFenced ? false : cursor.fence.isCall };
  if (source.isEnded && source.rest() === '' && options.isCut()) return true; // half of a call is nothing to show
  const text = whole.text();
  advance(cursor, text);
  if (text !== '') yield { type: 'text', text };
  else yield* asText(source, cursor, 1); // the reader took nothing: it must not be asked again
  return false;
}

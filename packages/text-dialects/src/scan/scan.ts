import type { Block } from '../read/block.ts';
import { advance, codeSigns, createCursor } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { fenceSign } from './fence.ts';
import type { FenceSign } from './fence.ts';
import { read } from '../read/grammar.ts';
import { guard } from './guard.ts';
import type { Lexicon } from './lexicon.ts';
import { more, no } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { nearby } from './near.ts';
import type { Found } from './opening.ts';
import type { ResultQuote } from '../write/results.ts';
import { scanFirstRole, skipEmptyLines } from './roles.ts';
import type { Scan, ScanEvent } from './scan-event.ts';
import { begunAt, createSignFinder } from './sign.ts';
import type { Sign, SignFinder } from './sign.ts';
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
  const { lexicon, tools, hidesRoles } = options;
  const cursor = createCursor();
  if (hidesRoles) yield* scanFirstRole(source);
  while (source.peek() === '' && !source.isEnded) yield undefined;
  yield* scanFirstThoughts(source, {
    thoughts: lexicon.thoughts,
    isOpened: options.isOpened(),
    reread: (text) => reread(text, options),
    answer: (text) => reread(text, options, lexicon),
  });
  if (yield* scanBegun(source, options, cursor)) return;
  const signAt = createSignFinder({ lexicon, tools, cursor, hidesRoles });
  const scanning = { options, cursor, signAt };
  for (;;) {
    const view = { text: source.rest(), isEnded: source.isEnded };
    if (view.text === '') {
      if (view.isEnded) return;
      yield undefined;
      continue;
    }
    const { length, sign } = nextSign(view, scanning);
    if (length > 0) yield { type: 'text', text: source.take(length), waits: sign === undefined };
    if (sign === undefined) continue;
    if (sign === more) {
      if (view.isEnded) return; // a call would have begun here
      yield undefined;
    } else if (yield* scanSign(source, scanning, sign)) return;
  }
}

type AnySign = Sign | FenceSign;

interface Looking extends Scanning {
  readonly signAt: SignFinder;
}

/**
 * The first sign that is not text, or `more` where one may begin, and the length of the text before it. The cursor moves
 * over that text, which is emitted at once: prose has a sign in each line.
 */
function nextSign(view: View, looking: Looking): { length: number; sign?: AnySign | typeof more } {
  const { options, cursor } = looking;
  const { text, isEnded } = view;
  let length = 0;
  while (length < text.length) {
    const signs = codeSigns(cursor) ?? (cursor.calls > 0 ? options.lexicon.later : options.lexicon.signs);
    const at = signs.next(text, length, isEnded && !options.isCut() && cursor.calls === 0);
    advance(cursor, text.slice(length, at));
    length = at;
    if (at === text.length) break;
    const sign = signOrText({ text: text.slice(at), isEnded }, looking);
    if (sign === more || typeof sign === 'object') return { length, sign };
    length += sign;
    advance(cursor, text.slice(at, length));
  }
  return { length };
}

/** At a character with which a sign may begin: the sign, `more`, or the length of text. */
function signOrText(view: View, { options, cursor, signAt }: Looking): AnySign | number {
  const { tools, lexicon } = options;
  const char = view.text.charAt(0);
  if (char === '`' || char === '~') return fenceSign(lexicon.forms, { ...view, tools, indent: cursor.indent }, cursor);
  if (codeSigns(cursor) !== undefined) return 1;
  const isCutOff = view.isEnded && options.isCut();
  const sign = signAt(view, isCutOff);
  if (sign === no) noteMention(view, nearby(lexicon, view.text), cursor);
  return sign === no || (sign === more && view.isEnded && !isCutOff) ? 1 : sign;
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

function* asText(source: Source, cursor: Cursor, length: number): Scan {
  const text = source.take(length);
  advance(cursor, text);
  yield { type: 'text', text };
}

/** Takes a sign with the text that belongs to it. True if the scan is over. */
function scanSign(source: Source, scanning: Scanning, sign: AnySign): Scan<boolean> {
  if (sign.type === 'block') return scanBlock(source, scanning, sign.found);
  if (sign.type === 'result') return scanResult(source, scanning.cursor, sign.quote);
  return scanMark(source, scanning, sign);
}

type Mark = Exclude<AnySign, { readonly type: 'block' | 'result' }>;

function* scanMark(source: Source, { options, cursor }: Scanning, sign: Mark): Scan<boolean> {
  if (sign.type === 'halt') {
    yield sign;
    return true;
  }
  source.skip(sign.end);
  if (sign.type === 'nothing') return false;
  if (sign.type === 'thought') {
    yield* scanThought(source, sign.thought, (text) => trailingCalls(reread(text, options)));
  }
  cursor.indent = 0;
  if (sign.type === 'close') yield { type: 'void' };
  if (sign.type === 'close' || sign.type === 'role') yield* skipEmptyLines(source);
  return false;
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
  { dialect, grammar, opening, before = 0 }: Found & { readonly before?: number },
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

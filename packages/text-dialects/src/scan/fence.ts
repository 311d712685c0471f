import type { Place } from '../read/block.ts';
import { blanks, lineEnd, more, no } from '../text/lookahead.ts';
import type { Cursor, Fence } from './cursor.ts';
import type { Form } from './lexicon.ts';
import { openingAt } from './opening.ts';
import type { Found } from './opening.ts';

/** Longer lines open no fence. */
const longestLine = 300;

/** Longer runs of backticks or tildes are cut into such. */
const longestRun = 256;

/** Number of repetitions of the first character. */
function runLength(text: string): number {
  let length = 0;
  while (length < longestRun && length < text.length && text[length] === text[0]) length++;
  return length;
}

/** The line that closes a fence: where it ends. */
function fenceEnd(view: Place, { sign, length }: Fence): number {
  if (view.indent < 0 || !view.text.startsWith(sign)) return no;
  let end = runLength(view.text);
  if (end === longestRun) return no;
  if (end === view.text.length && !view.isEnded) return more;
  if (end < length) return no;
  while (view.text[end] === ' ' || view.text[end] === '\t') end++;
  return end > longestLine ? no : lineEnd(view, end);
}

/** A fence whose text is a call, or the end of one. */
export type FenceSign =
  | { readonly type: 'block'; readonly found: Found & { readonly before: number } }
  | { readonly type: 'fence'; readonly end: number };

/** At a backtick or tilde: a fence with calls, its end, or the length of text. */
export function fenceSign(forms: readonly Form[], view: Place, cursor: Cursor): FenceSign | number {
  const { fence } = cursor;
  const end = fence === undefined ? no : fenceEnd(view, fence);
  const found = fence === undefined ? fencedCall(forms, view) : no;
  if (end === more || found === more) return more;
  if (fence !== undefined && end !== no) {
    cursor.fence = undefined;
    return fence.isCall ? { type: 'fence', end } : end;
  }
  if (typeof found === 'object') {
    cursor.fence = found.fence;
    return 'opening' in found ? { type: 'block', found } : found.length;
  }
  const length = runLength(view.text);
  if (length === view.text.length && !view.isEnded) return more;
  if (fence === undefined && view.text.startsWith('`')) {
    if (cursor.ticks === 0) cursor.ticks = length;
    else if (cursor.ticks === length) cursor.ticks = 0;
  }
  return length;
}

/** A fence that opens here, and the call in it where its label says that calls may be. */
function fencedCall(
  forms: readonly Form[],
  view: Place,
): { fence: Fence; length: number } | (Found & { fence: Fence; before: number }) | typeof no | typeof more {
  const line = fenceLine(view);
  if (typeof line === 'number') return line;
  const { fence, end, label } = line;
  const speaking = fence.sign === '`' ? forms.filter(({ dialect }) => dialect.fences.includes(label)) : [];
  if (speaking.length === 0) return { fence, length: end };
  const start = blanks(view, end);
  if (start === more) return more;
  if (start === no) return { fence, length: end };
  const inside: Place = { ...view, text: view.text.slice(start), indent: 0 };
  const found = openingAt(speaking, inside);
  if (found === more) return more;
  if (found === no || found.opening.isWeak === true) return { fence, length: end };
  return { ...found, fence: { ...fence, isCall: true }, before: start };
}

function fenceLine(view: Place): { fence: Fence; end: number; label: string } | typeof no | typeof more {
  const { text, isEnded, indent } = view;
  const sign = text.charAt(0);
  if (indent < 0) return no;
  const length = runLength(text);
  if (length === longestRun) return no;
  if (length < 3) return length === text.length && !isEnded ? more : no;
  const stop = text.indexOf('\n');
  if (stop < 0 && text.length <= longestLine && !isEnded) return more;
  if (stop > longestLine || (stop < 0 && text.length > longestLine)) return no;
  const line = text.slice(length, stop < 0 ? text.length : stop);
  if (sign === '`' && line.includes('`')) return no;
  const label = (line.trim().split(/\s/, 1)[0] ?? '').toLowerCase();
  return { fence: { sign, length, isCall: false }, end: stop < 0 ? text.length : stop + 1, label };
}

import { toMatch } from './exact.ts';
import type { PlainSource, Rewording } from './exact.ts';
import { hasHalf, splitAt } from './indivisible.ts';
import type { Indivisible } from './indivisible.ts';
import type { Match } from './match.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';

/** A match whose first or last character is half of an indivisible unit. */
interface PartialPlace {
  /** -1 if it begins with the byte order mark. */
  readonly start: number;
  readonly end: number;
  /** The unit that its first character is half of, or the mark itself. */
  readonly opening?: Indivisible | undefined;
  /** The unit that its last character is half of. */
  readonly closing?: Indivisible | undefined;
}

const byteOrderMark = '\ufeff';

/** The matches that {@link findExact} rejects, in order. */
function* partialPlaces({ text, hasMark }: PlainSource, sought: string): Generator<PartialPlace> {
  if (hasMark && sought.startsWith(byteOrderMark) && text.startsWith(sought.slice(1))) {
    const end = sought.length - 1;
    yield { start: -1, end, opening: 'mark', closing: splitAt(text, end) };
  }
  if (!hasHalf(sought)) return;
  for (const start of occurrencesOf(text, sought)) {
    const end = start + sought.length;
    const [opening, closing] = [splitAt(text, start), splitAt(text, end)];
    if (opening !== undefined || closing !== undefined) yield { start, end, opening, closing };
  }
}

/**
 * Matches at partial places that split nothing: the new text has the same half, which then stays, or an LF stands for
 * the whole CRLF.
 */
export function findPartial(source: PlainSource, replacement: Replacement): Iterable<Match> {
  for (const place of partialPlaces(source, replacement.oldText)) {
    const isLine = replacement.lines !== true || place.opening === 'mark';
    if (!isLine || partedBy(place, replacement) !== undefined) return [];
  }
  return partialMatches(source, replacement);
}

/** A unit that a replacement would split, and its line. */
export interface Parting {
  readonly of: Indivisible;
  readonly edge: 'begins' | 'ends';
  readonly line: number;
}

/** Reason why {@link findPartial} rejects a text that does occur; undefined if it does not occur. */
export function partingOf(source: PlainSource, replacement: Replacement): Parting | undefined {
  for (const place of partialPlaces(source, replacement.oldText)) {
    const parted = partedBy(place, replacement);
    if (parted === undefined) continue;
    return { ...parted, line: source.cursor.lineAt(parted.edge === 'begins' ? place.start : place.end) };
  }
  return undefined;
}

/** The unit that would be split at a place. */
function partedBy(
  { opening, closing }: PartialPlace,
  { oldText, newText }: Replacement,
): Omit<Parting, 'line'> | undefined {
  if (opening !== undefined && opening !== 'line-break' && !newText.startsWith(oldText.charAt(0)))
    return { of: opening, edge: 'begins' };
  return closing === undefined || newText.endsWith(oldText.slice(-1)) ? undefined : { of: closing, edge: 'ends' };
}

function* partialMatches(source: PlainSource, replacement: Replacement): Generator<Match> {
  for (const place of partialPlaces(source, replacement.oldText)) {
    const match = toMatch(source, toWhole(place, replacement));
    yield { ...match, start: Math.min(match.start, Math.max(place.start, 0)) };
  }
}

/** The range without the halves that stay. An LF that does not stay takes its CR along. */
function toWhole({ start, opening, closing }: PartialPlace, { oldText, newText }: Replacement): Rewording {
  const to = closing === undefined ? undefined : -1;
  const stays = opening !== undefined && newText.startsWith(oldText.charAt(0));
  if (opening === 'line-break' && !stays)
    return { start: start - 1, oldText: `\r${oldText.slice(0, to)}`, newText: newText.slice(0, to) };
  const from = stays ? 1 : 0;
  return { start: start + from, oldText: oldText.slice(from, to), newText: newText.slice(from, to) };
}

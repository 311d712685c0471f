import { UtensilError } from '@utensil/core';
import { say } from '../texts.ts';
import type { Program } from './program.ts';
import type { Place } from './syntax.ts';

// States of a program are built lazily and stored in a table: after that, a byte of the text takes one lookup. A
// program with very many states keeps building new ones, so the work for that is limited.

/** End of the first match in UTF-8 from the start of a line on, within one line; -1 if there is none. */
export type FindMatch = (bytes: Uint8Array, from: number) => number;

/** Kind of the previous position: none, a word character, or another one. */
type Side = 0 | 1 | 2;
const [nothing, word, other] = [0, 1, 2] as const;

interface State {
  readonly before: Side;
  /** Active steps. */
  readonly at: readonly number[];
  /** Next states for characters beyond ASCII. */
  readonly beyond: Map<number, number>;
}

/** Width of a table row: one cell per byte; those beyond ASCII stay empty. */
const width = 256;
const ascii = 128;
const mostStates = 2_000;

/** Steps left for building states. */
export interface WorkBudget {
  left: number;
}

/** Steps for one search: a few seconds at most. */
const mostWork = 6_000_000;
const [lineFeed, carriageReturn] = [10, 13];

/** Special cells: not built yet, and match. All others are state numbers times `width`; 1 is the start of a line. */
const [unknown, found, first] = [0, -1, 1];

/** Runs a program over texts. The returned function throws `EINVAL` if that takes too long. */
export function automatonOf({ steps, start }: Program, budget: WorkBudget = { left: mostWork }): FindMatch {
  let table = new Int32Array(32 * width);
  const numbers = new Map<string, number>();
  const places = steps.flatMap((each) => (each.type === 'place' ? [each.place] : []));
  const asksForWords = places.some((place) => place === 'b' || place === 'B');
  const asksForStart = places.includes('^');
  let states: State[] = [];
  forget();

  function forget(): void {
    numbers.clear();
    table.fill(unknown);
    states = [{ before: nothing, at: [], beyond: new Map() }];
    numberOf(nothing, [start]);
  }

  function numberOf(before: Side, at: readonly number[]): number {
    const key = `${before} ${at.join(' ')}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = states.push({ before, at, beyond: new Map() }) - 1;
    numbers.set(key, number);
    if (states.length * width > table.length) {
      const larger = new Int32Array(table.length * 2);
      larger.set(table);
      table = larger;
    }
    return number;
  }

  /** Steps that consume a character, reachable without one; undefined if the program has matched. */
  function reach({ at, before }: State, after: Side): readonly number[] | undefined {
    const seen = new Set<number>();
    const takes: number[] = [];
    const open = [...at];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      budget.left--;
      const step = steps[next];
      if (step === undefined || step.type === 'found') return undefined;
      if (step.type === 'take') takes.push(next);
      else if (step.type === 'split') open.push(...step.to);
      else if (holds(step.place, before, after)) open.push(step.to);
    }
    return takes;
  }

  /** Kind of a character for its neighbors. */
  function sideOf(code: number): Side {
    return asksForWords && isWord(code) ? word : other;
  }

  function follow(state: State, code: number): number {
    if (budget.left < 0) throw new UtensilError('EINVAL', say('patternTooSlow'));
    const side = sideOf(code);
    const takes = reach(state, side);
    if (takes === undefined) return found;
    const character = String.fromCodePoint(code);
    const at = new Set([start]);
    for (const index of takes) {
      const step = steps[index];
      if (step?.type === 'take' && step.has(character)) at.add(step.to);
    }
    // If no assertion depends on the previous character, a position within a line has the state of a line start.
    return numberOf(
      asksForWords || asksForStart ? side : nothing,
      [...at].sort((left, right) => left - right),
    );
  }

  function followBeyond(number: number, code: number): number {
    const { beyond } = states[number] as State;
    const known = beyond.get(code);
    if (known !== undefined) return known;
    const next = follow(states[number] as State, code);
    beyond.set(code, next);
    return next;
  }

  function atEnd(number: number): number {
    return reach(states[number] as State, nothing) === undefined ? found : first;
  }

  /** State after a character that is not in the table. */
  function step(number: number, bytes: Uint8Array, index: number): number {
    const byte = bytes[index] as number;
    if (byte >= ascii) return followBeyond(number, codeAt(bytes, index, sizeAt(bytes, index)));
    // A carriage return before a line feed is not part of the line. That depends on the next byte, so it is not cached.
    if (byte === carriageReturn && bytes[index + 1] === lineFeed) return number;
    const next = byte === lineFeed ? atEnd(number) : follow(states[number] as State, byte);
    if (byte !== carriageReturn) table[number * width + byte] = next === found ? found : next * width;
    return next;
  }

  /** First position at which the program has matched. */
  function find(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let known = table;
    let row = first * width;
    for (let index = from; index < length;) {
      const byte = bytes[index] as number;
      const next = known[row + byte] as number;
      if (next === row) {
        // Most bytes do not change the state: this loop skips them without dependent lookups.
        do index++;
        while (index < length && known[row + (bytes[index] as number)] === row);
      } else if (next > unknown) {
        row = next;
        index++;
      } else {
        const number = states.length > mostStates ? renew(row / width) : row / width;
        const following = next === unknown ? step(number, bytes, index) : found;
        if (following === found) return index;
        known = table;
        row = following * width;
        index += byte < ascii ? 1 : sizeAt(bytes, index);
      }
    }
    const isOpen = bytes[length - 1] !== lineFeed; // a final line break starts no further line
    return isOpen && atEnd(row / width) === found ? length : -1;
  }

  /** Frees space for states. Returns the new number of one. */
  function renew(number: number): number {
    const { before, at } = states[number] as State;
    forget();
    return numberOf(before, at);
  }

  return find;
}

function holds(place: Place, before: Side, after: Side): boolean {
  if (place === '^') return before === nothing;
  if (place === '$') return after === nothing;
  return ((before === word) !== (after === word)) === (place === 'b');
}

function isWord(code: number): boolean {
  return /[\p{L}\p{N}_]/u.test(String.fromCodePoint(code));
}

/** Length of the character at a position; 1 for an invalid byte, as in other encodings. */
function sizeAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index] as number;
  const size = byte >= 0xf8 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  for (let offset = 1; offset < size; offset++) if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 1;
  return size;
}

/** Code point at a position; U+FFFD if it is invalid. */
function codeAt(bytes: Uint8Array, index: number, size: number): number {
  if (size === 1) return 0xfffd;
  let code = (bytes[index] as number) & (0x7f >> size);
  for (let offset = 1; offset < size; offset++) code = (code << 6) | ((bytes[index + offset] as number) & 0x3f);
  return code > 0x10ffff ? 0xfffd : code;
}

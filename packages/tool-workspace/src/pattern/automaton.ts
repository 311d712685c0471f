import { UtensilError } from '@utensil/core';
import { say } from '../texts.ts';
import type { Program } from './program.ts';
import type { Place } from './syntax.ts';

// The states of a program are found while it runs, and remembered in a table: from then on, a byte of a text takes one
// look into it. A program with very many states finds new ones all the time, so how much it may look for them is limited.

/** Where the first match ends in UTF-8 from the beginning of a line on; -1 where there is none. It is within one line. */
export type FindMatch = (bytes: Uint8Array, from: number) => number;

/** What was before a place: nothing, a character of a word, or another one. */
type Side = 0 | 1 | 2;
const [nothing, word, other] = [0, 1, 2] as const;

interface State {
  readonly before: Side;
  /** The steps that it is in. */
  readonly at: readonly number[];
  /** The states that follow characters beyond ASCII. */
  readonly beyond: Map<number, number>;
}

/** Of a row of the table: a place for each byte, of which those beyond ASCII stay empty. */
const width = 256;
const ascii = 128;
const mostStates = 2_000;

/** Steps left for building states. */
export interface WorkBudget {
  left: number;
}

/** Steps for one search: some seconds at most. */
const mostWork = 6_000_000;
const [lineFeed, carriageReturn] = [10, 13];

/** Not known yet, and found. All else are numbers of states, of which 1 is that of the beginning of a line. In the table, times `width`. */
const [unknown, found, first] = [0, -1, 1];

/** Finds matches of a program. What it gives throws `EINVAL` where that takes too long. */
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

  /** The steps that take a character, of those reached without one; undefined where the program is done. */
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

  /** What a character is to what is beside it. */
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
    // Where nothing asks what was before, the state of a place within a line is that of its beginning.
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

  /** The state behind the character at a place, which is not in the table. */
  function step(number: number, bytes: Uint8Array, index: number): number {
    const byte = bytes[index] as number;
    if (byte >= ascii) return followBeyond(number, codeAt(bytes, index, sizeAt(bytes, index)));
    // A carriage return before a line feed is no part of the line; it depends on what follows, so it is not remembered.
    if (byte === carriageReturn && bytes[index + 1] === lineFeed) return number;
    const next = byte === lineFeed ? atEnd(number) : follow(states[number] as State, byte);
    if (byte !== carriageReturn) table[number * width + byte] = next === found ? found : next * width;
    return next;
  }

  /** The first place at which the program is done. */
  function find(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let known = table;
    let row = first * width;
    for (let index = from; index < length;) {
      const byte = bytes[index] as number;
      const next = known[row + byte] as number;
      if (next === row) {
        // Most of a text changes nothing: that is seen without waiting for one look after the other.
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
    const isOpen = bytes[length - 1] !== lineFeed; // a line break at the end opens no further line
    return isOpen && atEnd(row / width) === found ? length : -1;
  }

  /** Makes room for states. Gives the new number of one. */
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

/** How many bytes the character at a place has; 1 for a byte that is no part of any, as in texts of other encodings. */
function sizeAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index] as number;
  const size = byte >= 0xf8 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  for (let offset = 1; offset < size; offset++) if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 1;
  return size;
}

/** The character of so many bytes at a place; U+FFFD where they are none. */
function codeAt(bytes: Uint8Array, index: number, size: number): number {
  if (size === 1) return 0xfffd;
  let code = (bytes[index] as number) & (0x7f >> size);
  for (let offset = 1; offset < size; offset++) code = (code << 6) | ((bytes[index + offset] as number) & 0x3f);
  return code > 0x10ffff ? 0xfffd : code;
}

import { asMatch, endsLine } from './block.ts';
import type { Match, Place } from './block.ts';
import type { JsonGrammar } from '../dialects/dialect.ts';
import { blanks, literal, more, no, repeated, word } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';

/** Keys that servers add to calls, and that say nothing. */
export const otherKeys: readonly string[] = ['id', 'type', 'call_id'];

export function opensJson(grammar: JsonGrammar, place: Place): Match {
  const { open, bare } = grammar;
  if (open === '') return opensBare(grammar, place);
  const end = repeated(place, open);
  if (end < 0) return bare === true && end === no ? opensBare(grammar, place) : asMatch(end);
  const next = blanks(place, end);
  if (next < 0) return asMatch(next);
  const object = opensObject(place, next);
  if (object === more) return more;
  if (object !== no) return { length: end, isFramed: true };
  const name = opensNamed(grammar, place, next);
  if (name !== no) return name === more ? more : { length: end, isFramed: true };
  return endsLine(place, end);
}

/** An object, or a list that is empty or begins with one. */
function opensObject(view: View, at: number): number {
  const list = literal(view, at, '[');
  if (list === more) return more;
  const inside = list === no ? at : blanks(view, list);
  const end = literal(view, inside, '{');
  return end === no && list !== no ? literal(view, inside, ']') : end;
}

/** A name with its arguments behind it: `name[ARGS]{…}`. Where the name ends, and where the arguments begin. */
export function opensNamed({ between, id }: JsonGrammar, view: View, at: number): Named | typeof no | typeof more {
  if (between === undefined) return no;
  const name = word(view, at);
  let end = blanks(view, name);
  if (id !== undefined) end = passed(view, end, { marker: id, hasWord: true });
  end = passed(view, end, { marker: between, hasWord: false });
  const brace = literal(view, end, '{');
  return brace < 0 ? asMatch(brace) : { name, end };
}

/** Behind a marker that may be missing, the word behind it if it has one, and blanks. */
function passed(view: View, at: number, { marker, hasWord }: { marker: string; hasWord: boolean }): number {
  const end = literal(view, at, marker);
  if (end === no) return at;
  const next = blanks(view, end);
  return hasWord ? blanks(view, word(view, next)) : next;
}

interface Named {
  readonly name: number;
  readonly end: number;
}

/** An object, or an array of them, whose first key is one that calls have. */
function opensBare({ name, input }: JsonGrammar, place: Place): Match {
  let at = 0;
  for (const bracket of ['[', '{', '"']) {
    if (bracket === '[' && place.text[0] !== '[') continue;
    const end = literal(place, at, bracket);
    at = bracket === '"' ? end : blanks(place, end);
  }
  const stop = word(place, at);
  if (stop < 0) return asMatch(stop);
  if (![...name, ...input, ...otherKeys].includes(place.text.slice(at, stop))) return no;
  return { length: 0 };
}

import { asMatch } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import { callEvent } from './call-event.ts';
import type { JsonGrammar, NamedGrammar } from '../dialects/dialect.ts';
import { blanks, firstWord, literal, more, no } from '../text/lookahead.ts';
import type { Tag } from '../text/lookahead.ts';
import { createMarkerFinder, markerAt } from '../text/markers.ts';
import { giveUp } from './give-up.ts';
import { readObject } from './read-json.ts';
import { look, skipBlanks } from './reading.ts';

/** An object must follow, unless the marker is made of special tokens, which no prose has. */
export function opensNamed(grammar: NamedGrammar, place: Place): Match {
  const { frame } = grammar;
  const framed = frame === undefined ? no : literal(place, 0, frame[0]);
  if (framed === more) return more;
  const start = framed === no ? 0 : blanks(place, framed);
  if (start < 0) return asMatch(start);
  const found = markerAt(grammar.open, place, start);
  if (typeof found === 'number') return found;
  if (grammar.isRest === true && !place.tools.has(found.name)) return no;
  const opening = { length: found.end, name: found.name, isFramed: true };
  const at = blanks(place, found.end);
  if (at === more) return more;
  if (at !== no && place.text.charAt(at) === '{') return opening;
  if (at !== no && at === place.text.length && !place.isEnded) return more;
  return isToken(grammar) ? { ...opening, isWeak: true } : no;
}

function isToken({ open }: NamedGrammar): boolean {
  return /^<[|\uff5c]/.test(open[0]);
}

export function* readNamed(grammar: NamedGrammar, block: Block): BlockReading {
  let { name } = block.opening;
  while (name !== undefined) {
    yield* readCall(grammar, block, name);
    const marker = createMarkerFinder(grammar.open);
    const next: Tag | typeof no = yield* look(block, (view) => {
      const at = blanks(view, 0);
      return at < 0 ? asMatch(at) : marker(view, at);
    });
    name = next === no ? undefined : next.name;
    if (next !== no) block.source.skip(next.end);
  }
  if (grammar.frame !== undefined) yield* skipWord(block, grammar.frame[1]);
  return 'done';
}

/** Reads one call whose marker was taken. */
function* readCall(grammar: NamedGrammar, block: Block, name: string): BlockReading<void> {
  const { source } = block;
  const form = jsonForm(grammar);
  const resumes = [...new Set(grammar.open.map(firstWord))];
  const whole = source.record();
  yield* skipBlanks(source);
  const isEmpty = yield* look(block, (view) => literal(view, 0, grammar.close[0] ?? '{'));
  if (isEmpty !== no && grammar.close[0]?.startsWith('<') === true) {
    yield { type: 'begin', name };
    yield { type: 'input', delta: '{}' };
    yield callEvent({ block, start: source.position, whole, name }, {});
    for (const word of grammar.close) yield* skipWord(block, word.trim());
    return;
  }
  if (source.peek() !== '{') {
    yield* giveUp(form, block, { reason: 'the arguments must be a JSON object', whole, name, resumes });
    return;
  }
  whole.stop(); // of many calls, each would keep the text of all behind it
  const read = yield* readObject(form, block, { isBare: false, name, resumes });
  if (read === 'call') for (const word of grammar.close) yield* skipWord(block, word.trim());
}

/** A word after any blanks, if it is there; or the part of it before the output limit. */
function* skipWord(block: Block, word: string): BlockReading<void> {
  const end = yield* look(block, (view) => {
    const at = blanks(view, 0);
    if (at < 0) return at;
    const isHalf = view.isEnded && block.isCut() && word.startsWith(view.text.slice(at));
    return isHalf ? view.text.length : literal(view, at, word);
  });
  if (end > 0) block.source.skip(end);
}

const known = new WeakMap<NamedGrammar, JsonGrammar>();

/** The object alone, as a form of JSON calls. */
function jsonForm(grammar: NamedGrammar): JsonGrammar {
  const made = known.get(grammar) ?? {
    kind: 'json',
    open: '',
    close: grammar.close.at(-1) ?? '',
    name: ['name'],
    input: ['arguments'],
  };
  known.set(grammar, made);
  return made;
}

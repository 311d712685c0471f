import { asMatch } from '../read/block.ts';
import type { Cursor } from './cursor.ts';
import type { Thoughts } from '../dialects/dialect.ts';
import type { Lexicon } from './lexicon.ts';
import { blanks, lineEnd, literal, more, no, word } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { nearby } from './near.ts';
import type { Near } from './near.ts';
import { openingAt } from './opening.ts';
import type { Found } from './opening.ts';
import type { ResultQuote } from '../write/results.ts';
import { roleLine } from './roles.ts';
import { laterThought, strayClose } from './thoughts.ts';
import type { ToolIndex } from '../read/tool-index.ts';

/** Markup at a place outside of code. */
export type Sign =
  | { readonly type: 'block'; readonly found: Found }
  | { readonly type: 'halt' }
  /** Markup that is left over, or a token without content. */
  | { readonly type: 'nothing' | 'role' | 'close'; readonly end: number }
  | { readonly type: 'thought'; readonly thought: Thoughts; readonly end: number }
  /** A result that the model quotes: no call in it counts. */
  | { readonly type: 'result'; readonly quote: ResultQuote };

/** A place of the text, at which a sign may begin. */
export interface SignPlace {
  readonly lexicon: Lexicon;
  readonly tools: ToolIndex;
  readonly cursor: Cursor;
  readonly hidesRoles: boolean;
}

interface Looking extends SignPlace {
  /** The part of the lexicon that may begin here. */
  readonly near: Near;
}

/** Finds the sign that begins at the cursor; `no` for text, `more` if more text can decide. */
export type SignFinder = (view: View, isCutOff: boolean) => Sign | typeof no | typeof more;

/** Longer texts are decided by their first characters, if possible. */
const short = 128;
const lead = 8;

/** Maximum number of answers that are kept. */
const mostKept = 4_000;

/**
 * Finds signs in a turn, and caches negative and open answers by their text: streamed markup arrives in a few characters at a
 * time, and each would be compared with every word again.
 */
export function createSignFinder(place: SignPlace): SignFinder {
  const { lexicon, cursor } = place;
  const kept: Map<string, typeof no | typeof more>[] = []; // by the kind of place
  let count = 0;

  function ask(view: View): Sign | typeof no | typeof more {
    const looking: Looking = { ...place, near: nearby(lexicon, view.text) };
    for (const probe of probes) {
      const found = probe(view, looking);
      if (found !== no) return found;
    }
    return role(view, looking);
  }

  return (view, isCutOff) => {
    if (view.isEnded) return ask(isCutOff ? { ...view, isEnded: false } : view);
    const kind = kindOf(cursor);
    const text = view.text.length > short ? view.text.slice(0, lead) : view.text;
    const known = (kept[kind] ??= new Map<string, typeof no | typeof more>());
    const before = known.get(text);
    const answer = before ?? ask({ text, isEnded: false });
    if (typeof answer !== 'number') return answer;
    if (before === undefined && count < mostKept) {
      known.set(copied(text), answer);
      count++;
    }
    return answer === more && text.length < view.text.length ? ask(view) : answer;
  };
}

/** A copy of its own: an engine's slice of a piece of text keeps the whole piece, which may have megabytes. */
function copied(text: string): string {
  return `${text} `.slice(0, -1);
}

/** State of the cursor on which an answer depends, as a number. */
function kindOf({ calls, indent, before, mentions }: Cursor): number {
  const line = indent < 0 ? (quotes.includes(before) ? 3 : 2) : Math.min(indent, 1);
  return line * 4 + (calls > 0 ? 2 : 0) + (mentions > 0 ? 1 : 0);
}

/** The beginning of a turn that is read behind `begins`: a call of a known tool, or the end of a token. */
export function begunAt(
  view: View,
  begins: string,
  { lexicon, tools }: Pick<Looking, 'lexicon' | 'tools'>,
): Found | number {
  const token = anyOf(
    view,
    lexicon.hidden.filter((word) => word.startsWith(begins)),
  );
  if (token !== no) return token;
  const at = blanks(view, begins.length);
  const end = word(view, at);
  if (end < 0) return end;
  if (!tools.has(view.text.slice(at, end))) return no;
  const forms = lexicon.forms.filter(({ dialect }) => dialect === lexicon.dialects[0]);
  return openingAt(forms, { ...view, tools, indent: 0 });
}

type Probe = (view: View, looking: Looking) => Sign | typeof no | typeof more;

/** In order: each is asked only if all before it are certain that it is not theirs. */
const probes: readonly Probe[] = [leftOver, quoting, ending, opening, thought, closing, token];

/** Behind a call: a closing tag without a call, or a result that the model writes itself. */
function leftOver(view: View, { near, cursor }: Looking): Sign | typeof no | typeof more {
  if (cursor.calls === 0) return no;
  const close = anyOf(view, near.closers);
  if (close === more) return more;
  if (close !== no) return { type: 'nothing', end: close };
  if (view.isEnded && isHalf(view.text, near.closers)) return { type: 'nothing', end: view.text.length };
  const result = cursor.indent < 0 ? no : anyOf(view, near.results);
  return result < 0 ? asMatch(result) : { type: 'halt' };
}

/** Before any call: the frame of a result, at the beginning of a line. */
function quoting(view: View, { near, cursor, lexicon }: Looking): Sign | typeof no | typeof more {
  if (cursor.calls > 0 || cursor.indent < 0) return no;
  const end = anyOf(view, near.results);
  const quote = end < 0 ? undefined : lexicon.quotes.get(view.text.slice(0, end));
  return quote === undefined ? asMatch(end) : { type: 'result', quote };
}

/** True if the text ends in the middle of a closing tag, as if a server had truncated it. */
function isHalf(text: string, words: readonly string[]): boolean {
  return text.length > 1 && words.some((word) => word.startsWith(text));
}

/** A token that ends the turn: behind a call, or at the end of a line. */
function ending(view: View, { near, cursor }: Looking): Sign | typeof no | typeof more {
  const end = anyOf(view, near.ends);
  const line = cursor.calls > 0 ? end : lineEnd(view, end);
  return line < 0 ? asMatch(line) : { type: 'halt' };
}

const quotes = ['"', "'", '“', '‘', '«'];

function opening(view: View, { near, tools, cursor }: Looking): Sign | typeof no | typeof more {
  if (cursor.indent < 0 && quotes.includes(cursor.before)) return no; // an example
  const found = openingAt(near.forms, { ...view, tools, indent: cursor.indent });
  return typeof found === 'object' ? { type: 'block', found } : found;
}

function thought(view: View, { near, cursor }: Looking): Sign | typeof no | typeof more {
  const found = laterThought(view, near, cursor);
  return typeof found === 'object' ? { type: 'thought', ...found } : found;
}

function closing(view: View, looking: Looking): Sign | typeof no | typeof more {
  const { near, cursor, lexicon } = looking;
  if (near.closed.length === 0) return no;
  const end = strayClose(view, near, cursor);
  if (end !== no) return end < 0 ? asMatch(end) : { type: 'close', end };
  const tag =
    cursor.mentions > 0
      ? no
      : anyOf(
          view,
          near.closed.map(({ close }) => close),
        );
  const at = blanks(view, tag);
  if (at < 0) return asMatch(at);
  const behind: View = { text: view.text.slice(at), isEnded: view.isEnded };
  const call = opening(behind, { ...looking, near: nearby(lexicon, behind.text) }); // the thought ends where it begins
  return typeof call === 'object' ? { type: 'close', end: tag } : call;
}

/** A token without content. Those of dialects that the model was not asked for count only with other markup. */
function token(view: View, looking: Looking): Sign | typeof no | typeof more {
  const { lexicon, near } = looking;
  const own = anyOf(view, near.hidden);
  if (own !== no) return own === more ? more : { type: 'nothing', end: own };
  const end = anyOf(view, near.foreign);
  const at = blanks(view, end);
  if (at < 0) return asMatch(at);
  const behind: View = { text: view.text.slice(at), isEnded: view.isEnded };
  const next = nearby(lexicon, behind.text);
  const word = anyOf(behind, [...next.foreign, ...next.closers]);
  const found = word === no ? opening(behind, { ...looking, near: next }) : word;
  if (found === more) return more;
  return found === no ? no : { type: 'nothing', end };
}

function role(view: View, { hidesRoles, cursor }: Looking): Sign | typeof no | typeof more {
  const end = hidesRoles ? roleLine(view, cursor.indent === 0) : no;
  return end < 0 ? asMatch(end) : { type: 'role', end };
}

/** End of the first of these words, unless a longer one may still come. */
function anyOf(view: View, words: readonly string[]): number {
  let isOpen = false;
  for (const word of words) {
    const end = literal(view, 0, word);
    if (end > 0) return isOpen ? more : end;
    isOpen ||= end === more;
  }
  return isOpen ? more : no;
}

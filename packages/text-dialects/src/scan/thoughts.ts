import { asMatch } from '../read/block.ts';
import type { Cursor } from './cursor.ts';
import type { Thoughts } from '../dialects/dialect.ts';
import { blanks, lineEnd, literal, more, no } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { skipBlanks } from '../read/reading.ts';
import type { Scan, ScanEvent } from './scan-event.ts';
import type { Source } from '../text/source.ts';

/** A thought that begins. */
export interface OpenThought {
  readonly thought: Thoughts;
  readonly end: number;
}

/** Thoughts whose opening or closing tag may begin at a place; `family`: those of the model. */
export interface NearThoughts {
  readonly family: Thoughts | undefined;
  readonly opened: readonly Thoughts[];
  readonly closed: readonly Thoughts[];
}

/** Reads a thought that was never closed again, as an answer in which thoughts are only text. */
export type Reread = (text: string) => readonly ScanEvent[];

interface FirstThoughts {
  readonly thoughts: readonly Thoughts[];
  readonly isOpened: boolean;
  readonly reread: Reread;
  /** Reads a turn that was taken for a thought: other thoughts in it are some. */
  readonly answer: Reread;
}

/** Thoughts at the beginning of the turn. If the template opens them, the opening tag may be missing, or repeated. */
export function* scanFirstThoughts(source: Source, { thoughts, isOpened, reread, answer }: FirstThoughts): Scan {
  const [own] = thoughts;
  if (own === undefined) return;
  for (;;) {
    const view = { text: source.rest(), isEnded: source.isEnded };
    const found = thoughtAt(view, blanks(view, 0), thoughts);
    if (typeof found === 'object') {
      source.skip(found.end);
      return yield* scanThought(source, found.thought, (text) => trailingCalls(reread(text)));
    }
    if (found === no) break;
    yield undefined;
  }
  if (isOpened) yield* scanThought(source, own, answer);
}

/** Takes a thought after its opening tag, and its closing tag. One that is never closed is read again. */
export function* scanThought(source: Source, { close }: Thoughts, reread: Reread): Scan {
  const body = source.record();
  for (;;) {
    const rest = source.rest();
    const end = rest.indexOf(close);
    const waits = end < 0 && !source.isEnded;
    const length = end >= 0 ? end : waits ? keptLength(rest, close) : rest.length;
    if (length > 0) yield { type: 'reasoning', text: source.take(length), waits };
    else if (waits) yield undefined;
    if (waits) continue;
    if (end >= 0) break;
    body.stop();
    return yield* reread(body.text());
  }
  body.stop();
  source.skip(close.length);
  yield* skipBlanks(source) as Scan;
}

/** The calls at the end of a thought that was never closed: calls that more thought follows are only considered. */
export function trailingCalls(events: readonly ScanEvent[]): readonly ScanEvent[] {
  const last = events.findLastIndex((event) => event.type === 'text' && isProse(event.text));
  return events.slice(last + 1).filter(({ type }) => type !== 'text');
}

/** True if a text is not blank. */
export function isProse(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function thoughtAt(view: View, at: number, thoughts: readonly Thoughts[]): OpenThought | typeof no | typeof more {
  let isOpen = false;
  for (const thought of thoughts) {
    const end = literal(view, at, thought.open);
    if (end > 0) return isOpen ? more : { thought, end };
    isOpen ||= end === more;
  }
  return isOpen ? more : no;
}

/**
 * A thought in the middle of a turn: its tag stands alone on the line, or is a special token at the beginning of one.
 * Special tokens of the family count anywhere. Any other is a mention.
 */
export function laterThought(
  view: View,
  { family, opened }: NearThoughts,
  cursor: Cursor,
): OpenThought | typeof no | typeof more {
  const found = thoughtAt(view, 0, opened);
  if (typeof found !== 'object') return found;
  const isTag = /^<\w/.test(found.thought.open);
  if (!isTag && (found.thought === family || cursor.indent >= 0)) return found;
  const end = cursor.indent >= 0 ? lineEnd(view, found.end) : no;
  return end < 0 ? asMatch(end) : found;
}

/** Counts the tags of thoughts that are only mentioned: the closing tag of a mentioned pair is a mention too. */
export function noteMention({ text }: View, { opened, closed }: NearThoughts, cursor: Cursor): void {
  if (opened.some(({ open }) => text.startsWith(open))) cursor.mentions++;
  else if (cursor.mentions > 0 && closed.some(({ close }) => text.startsWith(close))) cursor.mentions--;
}

/** The closing tag of a thought that was not opened here: at the beginning or the end of a line, and no mention. */
export function strayClose(view: View, { family, closed }: NearThoughts, cursor: Cursor): number {
  let isOpen = false;
  for (const thought of closed) {
    const { close } = thought;
    const end = literal(view, 0, close);
    isOpen ||= end === more;
    if (end < 0) continue;
    if (isOpen) return more;
    if (cursor.mentions > 0) return no;
    if (cursor.indent >= 0 || (thought === family && !/^<\/?\w/.test(close))) return end;
    let at = end;
    while (at - end < 8 && (view.text[at] === ' ' || view.text[at] === '\t')) at++;
    const line = lineEnd(view, at);
    return line < 0 ? line : end;
  }
  return isOpen ? more : no;
}

/** Length of the part of a text that cannot be the beginning of `word`. */
export function keptLength(text: string, word: string): number {
  let length = Math.max(0, text.length - word.length + 1);
  while (length < text.length && !word.startsWith(text.slice(length))) length++;
  return length;
}

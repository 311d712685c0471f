import { getOrInsert } from '@utensil/core/provider';
import type { BlockReading } from './block.ts';
import type { TagGrammar } from '../dialects/dialect.ts';
import { beforeName, blanks, fill, firstWord, isBlank, literal, more, no, tag } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import { look, skipBlanks, tell, waiting } from './reading.ts';
import { createSigns } from '../text/signs.ts';
import type { Signs } from '../text/signs.ts';
import type { ToolIndex } from './tool-index.ts';
import type { OpenCall } from './tag-call.ts';

const section = '<![CDATA[';
const sectionEnd = ']]>';

/**
 * Takes the value of a parameter and its closing tag. A line break right after the opening tag does not belong to it,
 * and then neither does the one before the closing tag; in `<![CDATA[…]]>`, all text does. Returns the error, if any.
 * Text is emitted at once: the events before an error depend on the text alone, not on where it was cut.
 */
export function* readValue(
  call: OpenCall,
  key: string,
  write: (text: string) => void,
): BlockReading<string | undefined> {
  const { source } = call.block;
  const start = yield* look(call.block, opensSection);
  if (start !== no) {
    source.skip(start);
    return yield* readSections(call, key, write);
  }
  const lead = call.grammar.inline === true ? '' : yield* look(call.block, leadingBreak);
  source.skip(lead.length);
  const tail = createTail(lead, write);
  const signs = getOrInsert(known, call.grammar, () => signsOf(call.grammar));
  const close = fill(call.grammar.parameter[1], key);
  for (;;) {
    const rest = source.rest();
    const next = signs.next(rest, 0, source.isEnded);
    tail.write(source.take(next));
    if (next === rest.length && !source.isEnded) {
      yield waiting(call.collector.fresh());
      continue;
    }
    yield* tell(call.collector.fresh());
    if (next === rest.length) return `the parameter "${key}" is not closed`;
    const found = yield* look(call.block, (view) => atSign(call, { key, close }, view));
    if (typeof found === 'string') return found;
    if (found !== no) {
      source.skip(found);
      tail.end();
      return undefined;
    }
    tail.write(source.take(1));
  }
}

const known = new WeakMap<TagGrammar, Signs>();

/** The words with which markup of the grammar begins in a value: texts are full of their first characters. */
function signsOf({ parameter, call, frame, strict, recovers }: TagGrammar): Signs {
  const all = strict === true || recovers === true;
  return createSigns((all ? [...parameter, ...call, ...(frame ?? [])] : [parameter[1]]).map(firstWord));
}

function opensSection(view: View): number {
  return literal(view, blanks(view, 0), section);
}

function leadingBreak({ text, isEnded }: View): '' | '\n' | '\r\n' | typeof more {
  if (text.startsWith('\n')) return '\n';
  if (text.startsWith('\r\n')) return '\r\n';
  return !isEnded && '\r\n'.startsWith(text) ? more : '';
}

/** Keeps the last line break back, which may be none of the value. */
function createTail(lead: string, write: (text: string) => void): { write(text: string): void; end(): void } {
  let held = '';
  return {
    write(text) {
      const whole = held + text;
      const length = whole.endsWith('\r\n') ? 2 : whole.endsWith('\n') || whole.endsWith('\r') ? 1 : 0;
      held = whole.slice(whole.length - length);
      if (whole.length > length) write(whole.slice(0, whole.length - length));
    },
    end() {
      const isBlock = lead !== '' && held.endsWith('\n');
      const kept = isBlock ? held.slice(0, lead === '\n' ? -1 : -held.length) : held;
      if (kept !== '') write(kept);
    },
  };
}

/** A value that is being read, and the tag that closes it. */
interface OpenValue {
  readonly key: string;
  readonly close: string;
}

/** The end of the value, if it is here; the error in it, as text; `no` if this is a part of the value. */
function atSign({ grammar, name, block }: OpenCall, { key, close: tag }: OpenValue, view: View): number | string {
  const close = literal(view, 0, tag);
  if (close === more) return more;
  if (grammar.strict === true) return close === no ? strayIn(grammar, key, view) : close;
  if (close !== no) return closes(grammar, { ...view, name: name ?? '' }, close);
  return grammar.recovers === true ? lostIn({ grammar, name, block }, key, view) : no;
}

/** The error if a tag comes here that can only follow a value: its closing tag is missing. */
function lostIn(
  { grammar, name = '', block }: Pick<OpenCall, 'grammar' | 'name' | 'block'>,
  key: string,
  view: View,
): number | string {
  const lost = `the parameter "${key}" is not closed; put text with these tags into <![CDATA[ … ]]>`;
  const parameter = tag(view, 0, grammar.parameter[0]);
  if (parameter === more) return more;
  const tool = block.tools.get(name);
  if (parameter !== no) return tool === undefined || Object.hasOwn(tool.properties, parameter.name) ? lost : no;
  const close = tag(view, 0, fill(grammar.call[1], name));
  if (close === more) return more;
  const at = close === no ? 0 : blanks(view, close.end);
  if (at === more) return more;
  if (close !== no && at === view.text.length && at >= 0) return lost;
  const next = at < 0 ? no : opensNext(grammar, { ...view, tools: block.tools }, at);
  return next === no || next === more ? next : lost;
}

/** Markup that can only follow a call: the end of the frame, another call, or another frame with one. */
export function opensNext(
  grammar: TagGrammar,
  { tools, ...view }: View & { readonly tools?: ToolIndex },
  at: number,
): number {
  const [open, end] = grammar.frame ?? [];
  const closed = end === undefined ? no : literal(view, at, end);
  if (closed !== no) return closed;
  const framed = open === undefined ? no : literal(view, at, open);
  const inside = blanks(view, framed);
  if (inside === more) return more;
  const call = tag(view, inside < 0 ? at : inside, grammar.call[0]);
  if (typeof call === 'number') return call;
  return inside >= 0 || tools === undefined || tools.has(call.name) ? call.end : no;
}

/** A closing tag counts only where the call goes on or ends behind it: else it is a part of the value. */
function closes(grammar: TagGrammar, view: View & { readonly name: string }, end: number): number {
  const at = blanks(view, end);
  if (at < 0) return at === more ? more : end;
  if (at === view.text.length) return end;
  const next = [literal(view, at, fill(grammar.call[1], view.name)), toPosition(tag(view, at, grammar.parameter[0]))];
  if (grammar.recovers === true) next.push(opensNext(grammar, view, at));
  if (next.some((position) => position > 0)) return end;
  return next.includes(more) ? more : no;
}

function toPosition(found: ReturnType<typeof tag>): number {
  return typeof found === 'number' ? found : found.end;
}

function strayIn(grammar: TagGrammar, key: string, view: View): number | string {
  const problems: readonly (readonly [template: string, say: (name: string) => string])[] = [
    [grammar.parameter[0], (name) => `the parameter "${name}" begins inside of "${key}"`],
    [grammar.parameter[1], (name) => `the parameter "${key}" is closed as "${name}"`],
    [grammar.call[0], (name) => `"${name}" begins inside of the parameter "${key}"`],
    [grammar.call[1], () => `the parameter "${key}" is not closed`],
  ];
  let isOpen = false;
  for (const [template, say] of problems) {
    const found = tag(view, 0, template);
    if (typeof found === 'object') return `${say(found.name)}; put text with these tags into <![CDATA[ … ]]>`;
    isOpen ||= found === more;
  }
  return isOpen ? more : no;
}

function* readSections(call: OpenCall, key: string, write: (text: string) => void): BlockReading<string | undefined> {
  const { source } = call.block;
  const close = fill(call.grammar.parameter[1], key);
  for (;;) {
    const rest = source.rest();
    const end = rest.indexOf(sectionEnd);
    if (end < 0) {
      const isKept = source.isEnded ? 0 : Math.min(rest.length, sectionEnd.length - 1);
      write(source.take(rest.length - isKept));
      if (!source.isEnded) {
        yield waiting(call.collector.fresh());
        continue;
      }
      yield* tell(call.collector.fresh());
      return `the parameter "${key}" is not closed`;
    }
    write(source.take(end));
    yield* tell(call.collector.fresh());
    source.skip(sectionEnd.length);
    const again = yield* look(call.block, (view) => literal(view, 0, section));
    if (again !== no) {
      source.skip(again);
      continue;
    }
    yield* skipBlanks(source);
    const closed = yield* look(call.block, (view) => literal(view, 0, close));
    if (closed === no) return `the parameter "${key}" has text behind its ]]>`;
    source.skip(closed);
    return undefined;
  }
}

/** A value as it is written, such that {@link readValue} gives it again. */
export function writeValue(text: string, key: string, grammar: TagGrammar): string {
  if (needsSection(text, key, grammar))
    return `${section}${text.replaceAll(sectionEnd, ']]]]><![CDATA[>')}${sectionEnd}`;
  const isOnLines = grammar.inline !== true && (grammar.block === true || text.includes('\n'));
  return isOnLines ? `\n${text}\n` : text;
}

function needsSection(text: string, key: string, grammar: TagGrammar): boolean {
  let start = 0;
  while (isBlank(text.charAt(start))) start++;
  if (start > 200 || '<![CDATA['.startsWith(text.slice(start, start + section.length) || ' ')) return true;
  const templates = [...grammar.call, ...grammar.parameter, ...(grammar.frame ?? [])];
  const markup = templates.map(beforeName).filter(({ length }) => length > 2 || grammar.strict === true);
  return [...markup, fill(grammar.parameter[1], key)].some((each) => text.includes(each));
}

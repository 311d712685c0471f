import { asMatch, truncated, unnamed } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import { callEvent } from './call-event.ts';
import { createCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import type { LineGrammar } from '../dialects/dialect.ts';
import { decodeKey } from './keys.ts';
import { isNameChar, lineEnd, literal, more, no, word } from '../text/lookahead.ts';
import { look, skipPast, takeLine, tell } from './reading.ts';
import { parameterSchema } from './tool-index.ts';
import { typesOf } from './typing.ts';

export function opensLines({ fence }: LineGrammar, place: Place): Match {
  if (place.indent !== 0) return no;
  const start = literal(place, 0, fence);
  const stop = word(place, start);
  if (stop < 0) return asMatch(stop);
  const name = place.text.slice(start, stop);
  let at = stop;
  while (place.text[at] === ' ' && at - stop < 8) at++;
  const end = lineEnd(place, at);
  if (end < 0) return asMatch(end);
  if (place.tools.has(name)) return { length: stop, name };
  const next = opensLine(fence, place, end);
  return next < 0 ? asMatch(next) : { length: stop, name, isWeak: true };
}

/** True if the following text looks like the lines of a call. */
function opensLine(fence: string, place: Place, at: number): number {
  const end = literal(place, at, fence);
  if (end !== no) return end;
  const stop = word(place, at);
  const colon = literal(place, stop, ':');
  return colon === no ? literal(place, stop, ' -') : colon;
}

export function* readLines(grammar: LineGrammar, block: Block): BlockReading {
  const { source, tools, opening, isCut } = block;
  const { name = unnamed } = opening;
  const start = source.position - opening.length;
  const whole = source.record();
  const collector = createCollector(tools.get(name));
  yield { type: 'begin', name };
  yield* takeLine(source);
  let problem: string | undefined;
  for (;;) {
    const next = yield* look(block, (view) => nextFence(grammar, view));
    if (next === 'begins') problem ??= `"${name}" is not closed`;
    if (next === 'begins') break;
    if (next === 'ends') source.skip(grammar.fence.length);
    if (next === 'ends') break;
    const line = yield* takeLine(source);
    if (line.text === '' && line.ending === '') {
      if (isCut()) problem = truncated;
      break;
    }
    if (problem === undefined && line.text.trim() !== '')
      problem = yield* readLine({ grammar, block, collector }, line.text, line.ending);
    if (line.ending === '' && isCut()) problem = truncated;
    const delta = collector.fresh();
    if (problem === undefined) yield* tell(delta);
  }
  const input = problem ?? collector.end();
  if (typeof input === 'object') yield* tell(collector.fresh());
  yield callEvent({ block, start, whole, name }, input);
  return 'done';
}

/** True if the next line is a fence: the end of this call, or the beginning of another. */
function nextFence(
  { fence }: LineGrammar,
  view: Parameters<typeof literal>[0],
): 'ends' | 'begins' | 'none' | typeof more {
  const end = literal(view, 0, fence);
  if (end < 0) return end === more ? more : 'none';
  if (isNameChar(view.text.charAt(end))) return 'begins';
  if (end === view.text.length) return view.isEnded ? 'ends' : more;
  return [' ', '\r', '\n'].includes(view.text.charAt(end)) ? 'ends' : 'none';
}

interface Lines {
  readonly grammar: LineGrammar;
  readonly block: Block;
  readonly collector: Collector;
}

/** Reads a parameter from its first line on. Returns the error, if any. */
function* readLine(lines: Lines, line: string, ending: string): BlockReading<string | undefined> {
  const { grammar, block, collector } = lines;
  let stop = 0;
  while (stop < line.length && isNameChar(line.charAt(stop))) stop++;
  const key = line.slice(0, stop);
  const rest = line.slice(stop);
  if (key !== '' && rest.trimEnd() === ` ${grammar.rule}`) return yield* readBlock(lines, key, ending);
  if (key === '' || !rest.startsWith(':')) return `the line ${JSON.stringify(line.slice(0, 80))} is not "key: value"`;
  const text = rest.slice(rest.startsWith(': ') ? 2 : 1);
  const isList = text.trimEnd() === '[' && mayBeList(block, decodeKey(key));
  if (isList) return yield* readList(lines, key);
  const slot = collector.open(decodeKey(key));
  if (typeof slot === 'string') return slot;
  slot.write(text);
  return slot.close();
}

function mayBeList({ tools, opening }: Block, key: string): boolean {
  const tool = tools.get(opening.name ?? '');
  const schema = parameterSchema(tool, key);
  return schema === undefined || typesOf(schema, tool?.schema ?? {}).has('array');
}

function* readBlock(
  { grammar, block, collector }: Lines,
  key: string,
  ending: string,
): BlockReading<string | undefined> {
  const { source } = block;
  const slot = collector.open(decodeKey(key));
  if (typeof slot === 'string') {
    yield* skipPast(source, [`\n${grammar.rule} ${key}\n`, `\n${grammar.rule} ${key}\r\n`], [`\n${grammar.fence}`]);
    return slot;
  }
  const close = `${grammar.rule} ${key}`;
  let before: string | undefined;
  for (;;) {
    const line = yield* takeLine(source);
    if (line.text.trimEnd() === close) break;
    if (line.ending === '' && source.isEnded && source.rest() === '') return `the parameter "${key}" is not closed`;
    slot.write((before ?? '') + withoutEscape(line.text, grammar));
    before = line.ending;
    yield* tell(collector.fresh());
  }
  if (before === '\r\n' && ending === '\n') slot.write('\r'); // of the value: its lines end in `\n`
  return slot.close();
}

function* readList({ block, collector }: Lines, key: string): BlockReading<string | undefined> {
  const items: string[] = [];
  for (;;) {
    const line = yield* takeLine(block.source);
    const item = line.text.trim();
    if (item === ']') return collector.list(decodeKey(key), items);
    if (line.ending === '') return `the list "${key}" is not closed`;
    if (item !== '') items.push(item);
  }
}

/** A line of a value that begins with backslashes and then a fence or rule has one backslash too many. */
function withoutEscape(line: string, grammar: LineGrammar): string {
  return line.startsWith('\\') && needsEscape(line, grammar) ? line.slice(1) : line;
}

/** True if a line of a value could be taken for markup. */
export function needsEscape(line: string, { fence, rule }: LineGrammar): boolean {
  let at = 0;
  while (line[at] === '\\') at++;
  return line.startsWith(fence, at) || line.startsWith(rule, at);
}

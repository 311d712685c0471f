import type { Json, JsonObject } from '@utensil/core';
import type {
  BraceGrammar,
  Dialect,
  JsonGrammar,
  KeyedGrammar,
  LineGrammar,
  NamedGrammar,
  PythonGrammar,
  TagGrammar,
} from '../dialects/dialect.ts';
import { wellFormed } from '@utensil/core/provider';
import { encodeKey } from '../read/keys.ts';
import { fill, firstWord } from '../text/lookahead.ts';
import { needsEscape } from '../read/read-lines.ts';
import { writeValue } from '../read/tag-value.ts';
import { parameterSchema } from '../read/tool-index.ts';
import type { IndexedTool, ToolIndex } from '../read/tool-index.ts';
import { isText, itemsOf, toText, typesOf } from '../read/typing.ts';

/** A call to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** Calls as a model of this dialect writes them, such that reading gives them again. */
export function writeInDialect({ grammar }: Dialect, made: readonly WrittenCall[], tools: ToolIndex): string {
  const calls = wellFormed(made); // before they become text, in which half of a surrogate pair would be an escape
  switch (grammar.kind) {
    case 'json':
      return writeJson(grammar, calls);
    case 'named':
      return writeNamed(grammar, calls);
    case 'keyed':
      return writeKeyed(grammar, calls);
    case 'braces':
      return calls.map((call) => writeBraces(grammar, call)).join('');
    case 'tags':
      return writeTags(grammar, calls, tools);
    case 'lines':
      return calls.map((call) => writeLines(grammar, call, tools.get(call.name))).join('\n');
    case 'python':
      return writePython(grammar, calls);
  }
}

function writeJson(grammar: JsonGrammar, calls: readonly WrittenCall[]): string {
  const { open, close, several } = grammar;
  if (several === undefined) {
    const objects = calls.map((call) => toObject(grammar, call));
    return (open === '' ? objects : objects.map((object) => `${open}\n${object}\n${close}`)).join('\n');
  }
  const objects = calls.map((call, index) => toObject(grammar, call, index));
  return open + (several === 'array' ? `[${objects.join(', ')}]` : objects.join('; ')) + close;
}

function toObject({ name, input, open, close, counts }: JsonGrammar, call: WrittenCall, index = 0): string {
  const count = counts === undefined ? {} : { [counts]: String(index) };
  return hidden(JSON.stringify({ ...count, [name[0]]: call.name, [input[0]]: call.input }), [open, close]);
}

function writeNamed({ open, close, frame }: NamedGrammar, calls: readonly WrittenCall[]): string {
  const written = calls.map(({ name, input }, index) => {
    const object = hidden(
      JSON.stringify(input),
      [open[0], ...close].map((word) => firstWord(word)),
    );
    return (
      fill(open[0], name).replaceAll('{id}', () => String(index)) +
      object +
      (close[0]?.startsWith('`') === true ? '\n' : '') +
      close.join('')
    );
  });
  return frame === undefined ? written.join('') : frame[0] + written.join('') + frame[1];
}

function writeKeyed({ open, close }: KeyedGrammar, calls: readonly WrittenCall[]): string {
  const members = calls.map(({ name, input }) => hidden(JSON.stringify({ [name]: input }), [close]));
  return `${open}[${members.join(', ')}]${close}`;
}

function writeBraces(grammar: BraceGrammar, { name, input }: WrittenCall): string {
  return `${grammar.open}${name}${braceMembers(input, grammar)}${grammar.close}`;
}

/** Members in braces, sorted by key as families were trained on. */
function braceMembers(members: JsonObject, grammar: BraceGrammar): string {
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${braceKey(key, grammar)}:${braceValue(value, grammar)}`).join(',')}}`;
}

function braceKey(key: string, grammar: BraceGrammar): string {
  return /^[\w-]+$/.test(key) ? key : escapedText(key, grammar);
}

export function braceValue(value: Json, grammar: BraceGrammar): string {
  const { quote } = grammar;
  if (typeof value === 'string') return hasMark(value, quote) ? escapedText(value, grammar) : quote + value + quote;
  if (Array.isArray(value)) return `[${value.map((item) => braceValue(item as Json, grammar)).join(',')}]`;
  if (typeof value === 'object' && value !== null) return braceMembers(value as JsonObject, grammar);
  return JSON.stringify(value);
}

/** True if the closing mark would be found too early: in the text, or across its end. */
function hasMark(text: string, quote: string): boolean {
  return (text + quote).indexOf(quote) < text.length;
}

function escapedText(text: string, { quote, open, close }: BraceGrammar): string {
  return hidden(JSON.stringify(text), [quote, open, close]);
}

/** JSON or a Python literal in which these words do not occur: their first character is written as an escape. */
function hidden(text: string, words: readonly string[]): string {
  return words
    .filter((word) => word !== '' && !/^["\\{}:,\d]/.test(word))
    .reduce((changed, word) => {
      const code = word.charCodeAt(0).toString(16).padStart(4, '0');
      return changed.replaceAll(word, () => `\\u${code}${word.slice(1)}`);
    }, text);
}

function writePython({ open, close, lines }: PythonGrammar, calls: readonly WrittenCall[]): string {
  const written = calls.map((call) => hidden(toPython(call), [close]));
  return lines === true ? `${open}${written.join('\n')}${close}` : `${open}[${written.join(', ')}]${close}`;
}

function toPython({ name, input }: WrittenCall): string {
  const isName = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key);
  const members = Object.entries(input);
  const named = members.filter(([key]) => isName(key)).map(([key, value]) => `${key}=${pythonValue(value)}`);
  const others = members.filter(([key]) => !isName(key));
  const spread = others.length > 0 ? [`**${pythonValue(Object.fromEntries(others))}`] : [];
  return `${name}(${[...named, ...spread].join(', ')})`;
}

function pythonValue(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return hidden(JSON.stringify(value), ['<|']);
  if (typeof value === 'number') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${pythonValue(key)}: ${pythonValue(member)}`)
    .join(', ')}}`;
}

function writeTags(grammar: TagGrammar, calls: readonly WrittenCall[], tools: ToolIndex): string {
  const written = calls.map((call) => tagLines(grammar, call, tools.get(call.name)));
  const blocks = grammar.sharesFrame === true ? [written.flat()] : written;
  return blocks.flatMap((lines) => inFrame(grammar, lines)).join('\n');
}

function tagLines(grammar: TagGrammar, { name, input }: WrittenCall, tool: IndexedTool | undefined): readonly string[] {
  const lines = Object.entries(input).flatMap(([key, value]) => writeParameter(grammar, { key, value, tool }));
  if (grammar.name !== undefined) lines.unshift(element(grammar, grammar.name, name));
  return [fill(grammar.call[0], name).trimEnd(), ...lines, fill(grammar.call[1], name)];
}

function inFrame({ frame }: TagGrammar, lines: readonly string[]): readonly string[] {
  return frame === undefined ? lines : [frame[0], ...lines, frame[1]];
}

interface Argument {
  readonly key: string;
  readonly value: Json;
  readonly tool: IndexedTool | undefined;
}

function writeParameter(grammar: TagGrammar, { key, value, tool }: Argument): readonly string[] {
  const root = tool?.schema ?? {};
  const schema = parameterSchema(tool, key);
  const singular = grammar.repeats === true ? singularOf(tool, key) : undefined;
  if (singular !== undefined && Array.isArray(value) && value.length > 0) {
    return value.map((item) => element(grammar, singular, toText(item, itemsOf(schema), root)));
  }
  const [open, close] = grammar.parameter;
  const typed = open.replaceAll('{id}', String(typeof value === 'string')); // `string="true"`, the only word so far
  return [element({ ...grammar, parameter: [typed, close] }, key, toText(value, schema, root))];
}

function singularOf(tool: IndexedTool | undefined, key: string): string | undefined {
  return [...(tool?.singulars ?? [])].find(([, plural]) => plural === key)?.[0];
}

function element(grammar: TagGrammar, key: string, text: string): string {
  const name = encodeKey(key);
  return fill(grammar.parameter[0], name) + writeValue(text, name, grammar) + fill(grammar.parameter[1], name);
}

function writeLines(grammar: LineGrammar, { name, input }: WrittenCall, tool: IndexedTool | undefined): string {
  const lines = Object.entries(input).flatMap(([key, value]) => writeLine(grammar, { key, value, tool }));
  return [`${grammar.fence}${name}`, ...lines, grammar.fence].join('\n');
}

function writeLine(grammar: LineGrammar, { key, value, tool }: Argument): readonly string[] {
  const root = tool?.schema ?? {};
  const schema = parameterSchema(tool, key);
  const name = encodeKey(key);
  const isArray = Array.isArray(value) && value.length > 0 && typesOf(schema, root).has('array');
  if (isArray && value.every((item) => isPlainItem(item, grammar) && isText(itemsOf(schema), root)))
    return [`${name}: [`, ...value.map(String), ']'];
  const text = toText(value, schema, root);
  if (!/[\r\n]/.test(text) && text.trim() !== '[') return [`${name}: ${text}`];
  const escaped = text.split('\n').map((line) => (needsEscape(line, grammar) ? `\\${line}` : line));
  return [`${name} ${grammar.rule}`, ...escaped, `${grammar.rule} ${name}`];
}

/** True if an item can stand on a line unquoted. */
function isPlainItem(item: Json, grammar: LineGrammar): boolean {
  if (typeof item !== 'string' || item === '' || item.trim() !== item || /[\r\n]/.test(item)) return false;
  return item !== ']' && !needsEscape(item, grammar);
}

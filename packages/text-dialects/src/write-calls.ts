import type { Json, JsonObject } from '@utensil/core';
import type { Dialect, Grammar, JsonGrammar, LineGrammar, PythonGrammar, TagGrammar } from './dialect.ts';
import { encodeKey } from './keys.ts';
import { fill } from './lookahead.ts';
import { needsEscape } from './read-lines.ts';
import { writeValue } from './tag-value.ts';
import { parameterSchema } from './tool-index.ts';
import type { IndexedTool, ToolIndex } from './tool-index.ts';
import { isText, toText, typesOf } from './typing.ts';

/** A call to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** Calls as a model of this dialect writes them, such that reading gives them again. */
export function writeInDialect({ grammar }: Dialect, calls: readonly WrittenCall[], tools: ToolIndex): string {
  const joined = joinedForm(grammar, calls);
  return joined ?? calls.map((call) => writeCall(grammar, call, tools.get(call.name))).join('\n');
}

/** Several calls in one block, where the grammar has that. */
function joinedForm(grammar: Grammar, calls: readonly WrittenCall[]): string | undefined {
  if (grammar.kind === 'python') return `${grammar.open}[${calls.map(toPython).join(', ')}]${grammar.close}`;
  if (grammar.kind !== 'json' || grammar.several === undefined) return undefined;
  const objects = calls.map((call) => toObject(grammar, call));
  return grammar.several === 'array'
    ? `${grammar.open}[${objects.join(', ')}]${grammar.close}`
    : `${grammar.open}${objects.join('; ')}${grammar.close}`;
}

function writeCall(grammar: Grammar, call: WrittenCall, tool: IndexedTool | undefined): string {
  switch (grammar.kind) {
    case 'json':
      return writeJson(grammar, call);
    case 'tags':
      return writeTags(grammar, call, tool);
    case 'lines':
      return writeLines(grammar, call, tool);
    case 'python':
      return writePython(grammar, call);
  }
}

function writeJson(grammar: JsonGrammar, call: WrittenCall): string {
  const object = toObject(grammar, call);
  return grammar.open === '' ? object : `${grammar.open}\n${object}\n${grammar.close}`;
}

function toObject({ name, input, open, close }: JsonGrammar, call: WrittenCall): string {
  return hidden(JSON.stringify({ [name[0]]: call.name, [input[0]]: call.input }), [open, close]);
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

function writePython(grammar: PythonGrammar, call: WrittenCall): string {
  return `${grammar.open}[${toPython(call)}]${grammar.close}`;
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

function writeTags(grammar: TagGrammar, { name, input }: WrittenCall, tool: IndexedTool | undefined): string {
  const lines = Object.entries(input).flatMap(([key, value]) => writeParameter(grammar, { key, value, tool }));
  if (grammar.name !== undefined) lines.unshift(element(grammar, grammar.name, name));
  const call = [fill(grammar.call[0], name), ...lines, fill(grammar.call[1], name)];
  return (grammar.frame === undefined ? call : [grammar.frame[0], ...call, grammar.frame[1]]).join('\n');
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
    const items = (schema?.['items'] ?? { type: 'string' }) as JsonObject;
    return value.map((item) => element(grammar, singular, toText(item, items, root)));
  }
  return [element(grammar, key, toText(value, schema, root))];
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

function itemsOf(schema: JsonObject | undefined): JsonObject {
  return (schema?.['items'] ?? { type: 'string' }) as JsonObject;
}

/** Whether an item can stand on a line as it is. */
function isPlainItem(item: Json, grammar: LineGrammar): boolean {
  if (typeof item !== 'string' || item === '' || item.trim() !== item || /[\r\n]/.test(item)) return false;
  return item !== ']' && !needsEscape(item, grammar);
}

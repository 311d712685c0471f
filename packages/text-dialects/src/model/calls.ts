import type { JsonObject, ToolDefinition } from '@utensil/core';
import type { ReadCall } from '../read/block.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { alone, lexiconOf } from '../scan/lexicon.ts';
import { scan } from '../scan/scan.ts';
import { createSource } from '../text/source.ts';
import { indexTools } from '../read/tool-index.ts';
import type { IndexedTool } from '../read/tool-index.ts';
import { writeInDialect } from '../write/write-calls.ts';

/** Default maximum length of a call, in characters. */
export const longestCall = 8_000_000;

/**
 * The calls in a text, each with its place. A call with a `problem` was tried, and went wrong.
 *
 * @example
 * ```ts
 * import { dialects, readCalls } from '@utensil/text-dialects';
 *
 * const text = 'Let me see.\n<tool_call>{"name": "clock", "arguments": {}}</tool_call>';
 * const [call] = readCalls(text, dialects.hermes);
 * console.log(call?.name); // clock
 * ```
 */
export function readCalls(
  text: string,
  dialect: Dialect | readonly Dialect[],
  tools: readonly ToolDefinition[] = [],
): readonly ReadCall[] {
  const source = createSource();
  source.append(text);
  source.end();
  const options = {
    lexicon: lexiconOf('name' in dialect ? alone(dialect) : dialect, false),
    tools: indexTools(tools),
    longest: longestCall,
    hidesRoles: false,
    isOpened: () => false,
    isCut: () => false,
  };
  return [...scan(source, options)].flatMap((event) => (event?.type === 'call' ? [event.call] : []));
}

/**
 * A call as a model of the dialect writes it; reading it gives the call again. `omitDefaults` leaves optional parameters
 * out that have the default of their schema.
 *
 * @example
 * ```ts
 * import { dialects, writeCall } from '@utensil/text-dialects';
 *
 * writeCall({ name: 'clock', input: {} }, dialects.xml); // <tool:clock> … </tool:clock>
 * ```
 */
export function writeCall(
  call: { readonly name: string; readonly input: JsonObject },
  dialect: Dialect,
  {
    tools = [],
    omitDefaults = false,
  }: { readonly tools?: readonly ToolDefinition[]; readonly omitDefaults?: boolean } = {},
): string {
  const index = indexTools(tools);
  const tool = index.get(call.name);
  const isShown = ([key, value]: readonly [string, unknown]): boolean => !omitDefaults || !isDefault(tool, key, value);
  const input = Object.fromEntries(Object.entries(call.input).filter(isShown));
  return writeInDialect(dialect, [{ name: call.name, input }], index);
}

function isDefault(tool: IndexedTool | undefined, key: string, value: unknown): boolean {
  if (tool === undefined || tool.required.includes(key) || !Object.hasOwn(tool.properties, key)) return false;
  const schema = tool.properties[key];
  return schema !== undefined && 'default' in schema && JSON.stringify(schema['default']) === JSON.stringify(value);
}

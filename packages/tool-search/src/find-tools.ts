import { defineTool, isObject } from '@utensil/core';
import type { FunctionDefinition, Json, ToolDefinition } from '@utensil/core';
import * as z from 'zod/mini';
import { createSearch } from './bm25.ts';
import type { Search, Searchable } from './bm25.ts';

const usual = 5;
const most = 20;

/**
 * Searches deferred tools (`defer: true`) and returns the data to call them with `call_tool`.
 *
 * @example
 * ```ts
 * import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
 * import { callTool, findTools } from '@utensil/tool-search';
 *
 * const rare = defineTool({
 *   name: 'convert_units',
 *   description: 'Converts between units of length, weight and volume.',
 *   input: jsonSchema({ type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } }),
 *   effects: 'read',
 *   defer: true,
 *   execute: () => 'converted',
 * });
 * const toolset = resolveToolset(createRegistry([rare, findTools, callTool]), emptySettings, {});
 * if (toolset.definitions({ api: 'openai-chat' }).length !== 2) throw new Error('unexpected');
 * ```
 */
export const findTools = /* @__PURE__ */ defineTool({
  name: 'find_tools',
  title: 'Find tools',
  description: `Searches for more tools: there are many besides those that you see. Use it before you say that you cannot do something. Returns the best matches, at most ${usual} tools by default, each with its name, description and input schema; call one with call_tool.`,
  input: z.toJSONSchema(
    z.object({
      query: z.string().check(z.minLength(1), z.describe('What the tool should do, in a few words.')),
      limit: z.optional(
        z.int().check(z.minimum(1), z.maximum(most), z.describe(`At most this many tools. Default ${usual}.`)),
      ),
    }),
  ),
  ui: { subtitle: 'Searches for more tools', icon: '🔎', category: 'tools' },
  role: { type: 'tool-search', query: 'query' },
  effects: 'read',
  execute: async ({ query, limit = usual }, _options, { tools, prompts }) => {
    const { groups, search } = catalogueOf(await tools());
    const found = search(query)
      .slice(0, limit)
      .flatMap((index) => groups[index] ?? []);
    return Promise.all(found.map(async (each) => described(each, await prompts([each.name]))));
  },
  render: {
    title: 'Find tools: {query}',
    status: (output) => (Array.isArray(output) ? `${output.length} found` : ''),
    model: (output) =>
      Array.isArray(output) && output.length === 0
        ? 'No tool matches this query. Describe the task in other words.'
        : JSON.stringify(output),
  },
});

/** The deferred tools of a toolset, cached by the identity of its array. */
interface Catalogue {
  /** Search units: the tools of a group, or a single ungrouped tool. */
  readonly groups: readonly (readonly FunctionDefinition[])[];
  readonly search: Search;
}

const known = new WeakMap<readonly ToolDefinition[], Catalogue>();

function catalogueOf(tools: readonly ToolDefinition[]): Catalogue {
  const before = known.get(tools);
  if (before !== undefined) return before;
  const groups = grouped(tools.filter(isDeferred));
  const catalogue = { groups, search: createSearch(groups.map((group) => group.flatMap(searchable))) };
  known.set(tools, catalogue);
  return catalogue;
}

function grouped(deferred: readonly FunctionDefinition[]): readonly (readonly FunctionDefinition[])[] {
  const groups = new Map<string | FunctionDefinition, FunctionDefinition[]>();
  for (const each of deferred) {
    const key = each.group ?? each;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

function isDeferred(definition: ToolDefinition): definition is FunctionDefinition {
  return definition.type === 'function' && definition.defer === true;
}

/** Searchable texts of a tool; its name and field names weigh most. */
function searchable({ name, description, inputSchema, group = '' }: FunctionDefinition): Searchable {
  const fields = [...new Set(fieldsOf(inputSchema))].join(' ');
  return [
    [name, 3],
    [group, 3],
    [description, 1],
    [fields, 1],
  ];
}

/** Field names, including those of each member of a union. */
function fieldsOf({ properties, anyOf, oneOf }: FunctionDefinition['inputSchema']): readonly string[] {
  const forms: unknown = anyOf ?? oneOf;
  const own = isObject(properties) ? Object.keys(properties) : [];
  const inside = Array.isArray(forms)
    ? forms.map((form: unknown) => (isObject(form) ? form['properties'] : undefined))
    : [];
  return [...own, ...inside.flatMap((each) => (isObject(each) ? Object.keys(each) : []))];
}

function described(definition: FunctionDefinition, prompts: readonly string[]): Json {
  const { name, description, inputSchema, examples } = definition;
  const instructions = prompts.length > 0 && { instructions: prompts.join('\n\n') };
  return { name, description, input_schema: inputSchema, ...(examples && { examples }), ...instructions };
}

import { createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { mcpSource } from '@utensil/interop-mcp/client';

// A client for the conformance suite: it mounts the server whose address is the last argument, and calls its tools.

const url = process.argv.at(-1) ?? '';
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const version = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'];

const source = mcpSource(
  { url, era: version === undefined ? 'auto' : version >= '2026' ? 'modern' : 'legacy' },
  { clientInfo: { name: 'utensil', version: '0.0.0' }, ask: () => 'accept', onProblem: console.error },
);
const registry = createRegistry();
const { ready, unmount } = registry.mount(source, { namespace: 'x', onProblem: console.error });
await ready;

interface ToolCall {
  readonly name: string;
  readonly arguments?: JsonObject;
}

/** The calls that a scenario wants; by default each tool, with a value for each argument. */
const { toolCalls } = JSON.parse(context) as { readonly toolCalls?: readonly ToolCall[] };
const toolset = resolveToolset(registry, emptySettings, {});
const listed = toolset.definitions({ api: 'conformance' }).flatMap((each) => (each.type === 'function' ? [each] : []));
/** The schema of the other tool as received: the suite checks that nothing was lost. */
const echoed = (): JsonObject => {
  const { input } = registry.list().find(({ name }) => name !== 'x_json_schema_echo') ?? {};
  return input && '~standard' in input
    ? { schema: input['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject }
    : {};
};
const calls =
  scenario === 'json-schema-2020-12-preservation'
    ? [{ name: 'json_schema_echo', arguments: echoed() }]
    : (toolCalls ??
      listed.map(({ name, inputSchema }) => ({ name: name.slice(2), arguments: exampleOf(inputSchema) })));

for (const { name, arguments: input = {} } of calls) {
  const tool = registry.get(`x_${name}`);
  if (tool === undefined) continue;
  const { isError, output } = await runTool(tool, input);
  console.error(`${scenario}: ${name} ${isError ? 'failed' : 'gave'} ${JSON.stringify(output).slice(0, 500)}`);
}
await unmount();

function exampleOf({ properties, required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required : [];
  const example: Record<string, string | number | boolean> = {};
  for (const [key, schema] of Object.entries((properties ?? {}) as Record<string, JsonObject>)) {
    if (!names.includes(key)) continue;
    const { type } = schema;
    example[key] = type === 'number' || type === 'integer' ? 3 : type === 'boolean' ? true : 'text';
  }
  return example;
}

import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, result } from '@utensil/core';
import type { JsonSchema, Registry, Tool } from '@utensil/core';

// Tools with the names and results that the conformance suite of MCP asks of a server.

/** A pixel, and a recording of nothing. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image', mediaType: 'image/png', data: png } as const;
const audio = { type: 'audio', mediaType: 'audio/wav', data: wav } as const;
const file = {
  type: 'file',
  mediaType: 'text/plain',
  name: 'embedded.txt',
  data: btoa('This is an embedded resource content.'),
} as const;

function tool(name: string, more: Partial<Tool>): Tool {
  return defineTool({
    name,
    description: `Fixture of the conformance suite: ${name}.`,
    input: jsonSchema({ type: 'object', properties: {} }),
    effects: 'read',
    ...more,
  });
}

const schema2020: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const tools: readonly Tool[] = [
  tool('test_simple_text', { execute: () => 'This is a simple text response for testing.' }),
  tool('test_image_content', { execute: () => result({ output: 'an image', parts: [image] }) }),
  tool('test_audio_content', { execute: () => result({ output: 'a recording', parts: [audio] }) }),
  tool('test_embedded_resource', { execute: () => result({ output: 'a file', parts: [file] }) }),
  tool('test_multiple_content_types', {
    execute: () =>
      result({
        output: 'several',
        parts: [{ type: 'text', text: 'Multiple content types test:' }, image, file],
      }),
  }),
  tool('test_error_handling', {
    execute: () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  }),
  tool('test_tool_with_progress', {
    async *execute() {
      for (const progress of [0, 50, 100]) yield { progress, total: 100 };
      await Promise.resolve();
      return 'done';
    },
  }),
  tool('json_schema_2020_12_tool', { input: jsonSchema(schema2020), execute: () => 'valid' }),
  tool('test_x_mcp_header', {
    input: jsonSchema({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
      required: ['region'],
    }),
    execute: ({ region }: { readonly region?: unknown }) => String(region),
  }),
  tool('test_structured', {
    input: jsonSchema({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
    output: jsonSchema({ type: 'object', properties: { twice: { type: 'number' } }, required: ['twice'] }),
    execute: ({ n }: { readonly n?: unknown }) => ({ twice: Number(n) * 2 }),
  }),
  tool('test_waits', { timeoutMs: 0, execute: () => new Promise((resolve) => setTimeout(resolve, 3_600_000)) }),
  ...[
    'test_streaming_elicitation',
    'test_input_required_result_elicitation',
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
    'test_input_required_result_capabilities',
    'test_missing_capability',
  ].map((name) => tool(name, { effects: 'write', execute: () => 'allowed' })),
];

/** The fixtures as a toolset that changes: `test_trigger_tool_change` puts a tool in, or takes it away. */
export function fixtureTools() {
  const registry: Registry = createRegistry(tools);
  const extra = tool('test_extra', { execute: () => 'extra' });
  registry.register(
    tool('test_trigger_tool_change', {
      execute() {
        if (registry.get(extra.name) === undefined) registry.register(extra);
        else registry.unregister(extra.name);
        return 'changed';
      },
    }),
  );
  return {
    registry,
    served: () => resolveToolset(registry, emptySettings, {}),
    subscribe: (listener: () => void) => registry.subscribe(listener),
  };
}

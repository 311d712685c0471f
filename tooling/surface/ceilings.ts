// Maximum size of each import: bytes, minified and gzipped, without peers. A change that needs more raises the number
// in the same commit; `limit` is a promise to users, and stays.

export interface Ceiling {
  /** Program that imports it. Default: everything in the entry named by the key. */
  readonly imports?: string;
  /** Entry whose peers are excluded. Default: the one named by the key. */
  readonly of?: string;
  /** Loaded at once. */
  readonly eager: number;
  /** Loaded on demand. */
  readonly lazy?: number;
  readonly limit?: number;
  /** Maximum number of values. */
  readonly names?: number;
  /** Third-party packages that its dependencies bring. */
  readonly brings?: readonly string[];
}

const oneTool = `
  import { createRegistry, defineTool, jsonSchema, resolveToolset, run } from '@utensil/core';
  const input = jsonSchema({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
  const greet = defineTool({ name: 'greet', description: 'Greets somebody.', input, execute: ({ name }) => 'Hello ' + name });
  export const greeted = (model, settings, messages) =>
    run({ model, messages, toolset: resolveToolset(createRegistry([greet]), settings, {}) });
`;

/** Packages of the Markdown parser. */
const lezer = ['@lezer/common', '@lezer/highlight'];

/** Packages of lit. */
const lit = ['@lit/reactive-element', 'lit-element', 'lit-html'];

/** Packages of MCP's SDK. */
const mcpSdk = ['@modelcontextprotocol/core', 'zod'];
const mcpClient = [...mcpSdk, 'eventsource', 'eventsource-parser', 'jose'];

/** Every entry of every package has one. Core loads these later: the loop, the JSON Schema validator, the hash, the repair
 * of arguments, and the code for long threads. */
export const ceilings: Readonly<Record<string, Ceiling>> = {
  defineTool: { imports: `export { defineTool } from '@utensil/core';`, eager: 100, limit: 1_000 },
  'registry, run and one tool': { imports: oneTool, eager: 9_550, lazy: 73_300, limit: 15_000 },
  '@utensil/core': { eager: 48_050, lazy: 69_200, names: 45 },
  '@utensil/core/budget': { eager: 3_000 },
  '@utensil/core/edit': { eager: 11_000 },
  '@utensil/core/file-commands': { eager: 10_000, lazy: 4_300 },
  '@utensil/core/files': { eager: 11_500, lazy: 2_800 },
  '@utensil/core/guard': { eager: 15_800, lazy: 6_650 },
  '@utensil/core/migrations': { eager: 2_500 },
  '@utensil/core/provider': { eager: 11_050, lazy: 650 },
  '@utensil/core/provider/strict': { eager: 3_200 },
  '@utensil/core/settings': { eager: 5_250 },
  '@utensil/core/storage': { eager: 5_900 },
  '@utensil/core/testing': { eager: 94_500, lazy: 71_200 }, // a quarter is the table of edits; models are asked by a run
  '@utensil/core/thread': { eager: 20_000 },
  '@utensil/elements': { eager: 106_500, brings: lit },
  '@utensil/elements/approval': { eager: 32_400, brings: lit },
  '@utensil/elements/call': { eager: 32_900, brings: lit },
  '@utensil/elements/diff': { eager: 19_700, brings: lit },
  '@utensil/elements/files': { eager: 31_100, brings: lit },
  '@utensil/elements/markdown': { eager: 36_300, brings: lit },
  '@utensil/elements/rules': { eager: 23_600, brings: lit },
  '@utensil/elements/settings': { eager: 28_700, brings: lit },
  '@utensil/elements/thread': { eager: 83_200, brings: lit },
  '@utensil/elements/texts': { eager: 7_500 }, // shared by every element: all texts
  '@utensil/elements/value': { eager: 18_200, brings: lit },
  '@utensil/elements/waiting': { eager: 34_300, brings: lit },
  '@utensil/elements/view': { eager: 7_300 },
  '@utensil/guarded-fetch': { eager: 8_000 },
  '@utensil/guarded-fetch/node': { eager: 9_000 },
  '@utensil/interop-mcp/server': { eager: 5_850, lazy: 119_600, brings: mcpSdk },
  '@utensil/interop-mcp/client': { eager: 4_850, lazy: 123_150, brings: mcpClient },
  '@utensil/interop-mcp/sign-in': { eager: 7_750, lazy: 105_000, brings: mcpClient },
  '@utensil/interop-mcp/node': { eager: 8_400, lazy: 178_350, brings: mcpClient },
  '@utensil/local-shell': { eager: 6_000 },
  '@utensil/model-data': { eager: 92_000 }, // mostly data
  '@utensil/pdf-text': { eager: 2_500 },
  '@utensil/pdf-text/worker': { eager: 2_000, lazy: 500_000 }, // mostly the reader
  '@utensil/provider-anthropic': { eager: 6_650, lazy: 1_950 },
  '@utensil/provider-anthropic/bedrock': { eager: 6_750, lazy: 1_950 },
  '@utensil/provider-anthropic/vertex': { eager: 6_700, lazy: 1_950 },
  '@utensil/provider-browser': { eager: 2_800 },
  'google()': {
    imports: `export { google } from '@utensil/provider-google';`,
    of: '@utensil/provider-google',
    eager: 6_050,
    lazy: 1_700,
  },
  'googleInteractions()': {
    imports: `export { googleInteractions } from '@utensil/provider-google';`,
    of: '@utensil/provider-google',
    eager: 5_750,
    lazy: 1_700,
  },
  '@utensil/provider-google': { eager: 9_100, lazy: 1_700 },
  '@utensil/provider-google/vertex': { eager: 6_000, lazy: 1_700 },
  '@utensil/provider-offline': { eager: 4_900 },
  '@utensil/provider-ollama': { eager: 5_350 },
  'openai()': {
    imports: `export { openai } from '@utensil/provider-openai';`,
    of: '@utensil/provider-openai',
    eager: 7_600,
    lazy: 3_300,
  },
  'openaiChat()': {
    imports: `export { openaiChat } from '@utensil/provider-openai';`,
    of: '@utensil/provider-openai',
    eager: 6_300,
    lazy: 3_300,
  },
  '@utensil/provider-openai': { eager: 11_250, lazy: 3_300 },
  '@utensil/provider-openai/azure': { eager: 11_200, lazy: 1_900 },
  '@utensil/provider-openai/compatible': { eager: 7_400, lazy: 3_250 },
  '@utensil/provider-openai/openrouter': { eager: 7_200, lazy: 3_300 },
  '@utensil/react': { eager: 1_700 },
  '@utensil/react/elements': { eager: 1_200 },
  '@utensil/react/elements/approval': { eager: 1_200 },
  '@utensil/react/elements/waiting': { eager: 1_200 },
  '@utensil/react/elements/call': { eager: 1_200 },
  '@utensil/react/elements/diff': { eager: 1_200 },
  '@utensil/react/elements/files': { eager: 1_200 },
  '@utensil/react/elements/markdown': { eager: 1_200 },
  '@utensil/react/elements/rules': { eager: 1_200 },
  '@utensil/react/elements/settings': { eager: 1_200 },
  '@utensil/react/elements/thread': { eager: 1_200 },
  '@utensil/react/elements/value': { eager: 1_200 },
  '@utensil/sandbox-quickjs': { eager: 5_500, lazy: 43_650, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/node': { eager: 5_750, lazy: 43_650, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/node/worker': { eager: 12_100, lazy: 27_950, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/worker': { eager: 12_050, lazy: 27_950, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/storage-encrypted': { eager: 8_000 },
  '@utensil/storage-filesystem': { eager: 18_000 },
  '@utensil/storage-http': { eager: 5_000 },
  '@utensil/storage-http/node': { eager: 1_000 },
  '@utensil/storage-http/server': { eager: 6_000 },
  '@utensil/storage-indexeddb': { eager: 7_300 },
  '@utensil/storage-memory': { eager: 2_400 },
  '@utensil/storage-overlay': { eager: 5_500 },
  '@utensil/storage-versioned': { eager: 10_000, lazy: 8_500 },
  '@utensil/telemetry': { eager: 4_000 },
  '@utensil/text-dialects': { eager: 32_250 },
  '@utensil/tool-agent': { eager: 19_000 },
  '@utensil/tool-filesystem': { eager: 16_000 }, // mostly zod/mini
  '@utensil/tool-javascript': { eager: 16_100 }, // mostly zod/mini
  '@utensil/tool-memory': { eager: 17_000 },
  '@utensil/tool-notes': { eager: 20_000 },
  'tools for time': {
    imports: `export { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from '@utensil/tool-time';`,
    of: '@utensil/tool-time',
    eager: 15_500,
    lazy: 23_000,
    brings: ['temporal-utils'],
  },
  '@utensil/tool-time': { eager: 34_500, lazy: 1_600, brings: ['temporal-utils'] }, // more than half is Temporal
  '@utensil/tool-search': { eager: 15_500 },
  '@utensil/tool-workspace': { eager: 42_500, lazy: 24_100, brings: lezer }, // lazy: mostly the Markdown parser
  '@utensil/tool-web': { eager: 23_000, lazy: 32_000 }, // mostly the reader of pages
};

/** Code that no entry of `@utensil/core` may contain, with reasons. */
export const forbidden: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bprocess\./, 'core runs where there is no Node.js'],
  [/\brequire\(/, 'core is ES modules, and so is what it brings along'],
  [/["'`]node:/, 'core runs where there is no Node.js'],
];

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
  'registry, run and one tool': { imports: oneTool, eager: 9_300, lazy: 73_050, limit: 15_000 },
  '@utensil/core': { eager: 46_650, lazy: 68_800, names: 45 },
  '@utensil/core/budget': { eager: 2_300 },
  '@utensil/core/edit': { eager: 11_000 },
  '@utensil/core/file-commands': { eager: 8_250, lazy: 4_150 },
  '@utensil/core/files': { eager: 11_150, lazy: 2_750 },
  '@utensil/core/guard': { eager: 15_650, lazy: 6_600 },
  '@utensil/core/migrations': { eager: 2_500 },
  '@utensil/core/provider': { eager: 11_150, lazy: 650 },
  '@utensil/core/provider/strict': { eager: 3_250 },
  '@utensil/core/settings': { eager: 5_300 },
  '@utensil/core/storage': { eager: 5_900 },
  '@utensil/core/testing': { eager: 93_750, lazy: 70_450 }, // a quarter is the table of edits; models are asked by a run
  '@utensil/core/thread': { eager: 3_400 },
  '@utensil/elements': { eager: 106_150, brings: lit },
  '@utensil/elements/approval': { eager: 31_900, brings: lit },
  '@utensil/elements/call': { eager: 32_500, brings: lit },
  '@utensil/elements/diff': { eager: 19_250, brings: lit },
  '@utensil/elements/files': { eager: 30_650, brings: lit },
  '@utensil/elements/markdown': { eager: 35_850, brings: lit },
  '@utensil/elements/rules': { eager: 23_050, brings: lit },
  '@utensil/elements/settings': { eager: 28_250, brings: lit },
  '@utensil/elements/thread': { eager: 82_600, brings: lit },
  '@utensil/elements/texts': { eager: 7_100 }, // shared by every element: all texts
  '@utensil/elements/value': { eager: 17_700, brings: lit },
  '@utensil/elements/waiting': { eager: 33_850, brings: lit },
  '@utensil/elements/view': { eager: 7_300 },
  '@utensil/guarded-fetch': { eager: 7_550 },
  '@utensil/guarded-fetch/node': { eager: 8_600 },
  '@utensil/interop-mcp/server': { eager: 5_850, lazy: 119_400, brings: mcpSdk },
  '@utensil/interop-mcp/client': { eager: 4_900, lazy: 123_150, brings: mcpClient },
  '@utensil/interop-mcp/sign-in': { eager: 7_750, lazy: 103_450, brings: mcpClient },
  '@utensil/interop-mcp/node': { eager: 8_400, lazy: 178_350, brings: mcpClient },
  '@utensil/local-shell': { eager: 5_850 },
  '@utensil/model-data': { eager: 78_050 }, // mostly data
  '@utensil/pdf-text': { eager: 1_650 },
  '@utensil/pdf-text/worker': { eager: 1_550, lazy: 489_000 }, // mostly the reader
  '@utensil/provider-anthropic': { eager: 6_600, lazy: 1_950 },
  '@utensil/provider-anthropic/bedrock': { eager: 6_700, lazy: 1_950 },
  '@utensil/provider-anthropic/vertex': { eager: 6_700, lazy: 1_950 },
  '@utensil/provider-browser': { eager: 2_750 },
  'google()': {
    imports: `export { google } from '@utensil/provider-google';`,
    of: '@utensil/provider-google',
    eager: 6_000,
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
  '@utensil/provider-openai/azure': { eager: 11_250, lazy: 1_900 },
  '@utensil/provider-openai/compatible': { eager: 7_400, lazy: 3_300 },
  '@utensil/provider-openai/openrouter': { eager: 7_200, lazy: 3_300 },
  '@utensil/react': { eager: 1_650 },
  '@utensil/react/elements': { eager: 1_100 },
  '@utensil/react/elements/approval': { eager: 750 },
  '@utensil/react/elements/waiting': { eager: 750 },
  '@utensil/react/elements/call': { eager: 750 },
  '@utensil/react/elements/diff': { eager: 700 },
  '@utensil/react/elements/files': { eager: 750 },
  '@utensil/react/elements/markdown': { eager: 750 },
  '@utensil/react/elements/rules': { eager: 700 },
  '@utensil/react/elements/settings': { eager: 700 },
  '@utensil/react/elements/thread': { eager: 800 },
  '@utensil/react/elements/value': { eager: 700 },
  '@utensil/sandbox-quickjs': { eager: 5_500, lazy: 43_650, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/node': { eager: 5_700, lazy: 43_650, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/node/worker': { eager: 12_100, lazy: 27_950, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/sandbox-quickjs/worker': { eager: 12_050, lazy: 27_950, brings: ['@jitl/quickjs-ffi-types'] },
  '@utensil/storage-encrypted': { eager: 7_900 },
  '@utensil/storage-filesystem': { eager: 17_800 },
  '@utensil/storage-http': { eager: 4_050 },
  '@utensil/storage-http/node': { eager: 750 },
  '@utensil/storage-http/server': { eager: 5_400 },
  '@utensil/storage-indexeddb': { eager: 7_250 },
  '@utensil/storage-memory': { eager: 2_300 },
  '@utensil/storage-overlay': { eager: 4_900 },
  '@utensil/storage-versioned': { eager: 8_500, lazy: 7_850 },
  '@utensil/telemetry': { eager: 3_450 },
  '@utensil/text-dialects': { eager: 32_250 },
  '@utensil/tool-agent': { eager: 18_200 },
  '@utensil/tool-filesystem': { eager: 14_300 }, // mostly zod/mini
  '@utensil/tool-javascript': { eager: 16_050 }, // mostly zod/mini
  '@utensil/tool-memory': { eager: 15_050 },
  '@utensil/tool-notes': { eager: 18_550 },
  'tools for time': {
    imports: `export { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from '@utensil/tool-time';`,
    of: '@utensil/tool-time',
    eager: 13_250,
    lazy: 22_100,
    brings: ['temporal-utils'],
  },
  '@utensil/tool-time': { eager: 34_200, lazy: 1_500, brings: ['temporal-utils'] }, // more than half is Temporal
  '@utensil/tool-search': { eager: 14_600 },
  '@utensil/tool-workspace': { eager: 41_300, lazy: 24_050, brings: lezer }, // lazy: mostly the Markdown parser
  '@utensil/tool-web': { eager: 22_100, lazy: 29_900 }, // mostly the reader of pages
};

/** Code that no entry of `@utensil/core` may contain, with reasons. */
export const forbidden: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bprocess\./, 'core runs where there is no Node.js'],
  [/\brequire\(/, 'core is ES modules, and so is what it brings along'],
  [/["'`]node:/, 'core runs where there is no Node.js'],
];

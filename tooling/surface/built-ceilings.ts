// Ceilings for built packages: bytes that load at once in an app, minified and compressed, from each bundler. The
// ceilings of sources are in ceilings.ts; these limit the build.

import type { BundlerName } from './bundlers.ts';

export interface BuiltCeiling {
  readonly program: string;
  /** Peers that its user has anyway. */
  readonly without?: readonly string[];
  readonly eager: Readonly<Record<BundlerName, number>>;
}

export const oneTool = `
  import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
  const input = jsonSchema({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
  const greet = defineTool({ name: 'greet', description: 'Greets.', input, effects: 'read', execute: ({ name }) => 'Hello ' + name });
  export const greeted = (model, messages) =>
    run({ model, messages, toolset: resolveToolset(createRegistry([greet]), emptySettings, {}) });
`;

export const builtCeilings: Readonly<Record<string, BuiltCeiling>> = {
  defineTool: {
    program: `export { defineTool } from '@utensil/core';`,
    eager: { esbuild: 100, rolldown: 100 },
  },
  'registry, run and one tool': { program: oneTool, eager: { esbuild: 10_350, rolldown: 10_400 } },
  'openai(), without the SDK': {
    program: `export { openai } from '@utensil/provider-openai';`,
    without: ['openai'],
    eager: { esbuild: 15_550, rolldown: 12_950 },
  },
  'files over memory': {
    program: `
      import { createFiles } from '@utensil/core';
      import { memoryStorage } from '@utensil/storage-memory';
      export const files = createFiles(memoryStorage());
    `,
    eager: { esbuild: 17_800, rolldown: 15_400 },
  },
  'two tools for time': {
    program: `export { convertTimeTool, currentTimeTool } from '@utensil/tool-time';`,
    eager: { esbuild: 13_250, rolldown: 12_750 },
  },
};

/** Maximum number of type instantiations for a program with this many tools. More than half are zod's. */
export const instantiationCeiling = { tools: 50, most: 23_000 } as const;

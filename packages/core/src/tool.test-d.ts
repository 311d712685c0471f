import * as z from 'zod/mini';
import { capability, files } from './capability.ts';
import { option } from './option.ts';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';

const mailer = capability<{ send(text: string): Promise<void> }>('mailer');

// Input, options and host are inferred from what the tool says of itself.
const search = defineTool({
  name: 'search',
  description: (options) => `Searches with ${options.engine satisfies 'brave' | 'tavily'}`,
  options: {
    engine: option.select({
      label: 'Engine',
      default: 'brave',
      choices: [
        { value: 'brave', label: 'Brave' },
        { value: 'tavily', label: 'Tavily' },
      ],
    }),
    results: option.number({ label: 'Results', default: 8 }),
    safe: option.boolean({ label: 'Safe', default: true }),
    apiKey: option.secret({ label: 'API key' }),
  },
  input: z.toJSONSchema(z.object({ query: z.string(), page: z.optional(z.number()) })),
  requires: { files, mailer },
  effects: ({ query }, { results }) => (query.length > (results satisfies number) ? 'read' : 'write'),
  prompt: (options, { host }) => {
    host.files satisfies { stat(path: string): unknown };
    // @ts-expect-error: a prompt never sees a secret
    return `${options.apiKey} ${options.safe satisfies boolean}`;
  },
  execute: async ({ query, page }, options, { host }) => {
    await host.mailer.send(query satisfies string);
    return [page satisfies number | undefined, options.apiKey satisfies string | undefined];
  },
});

// A function of the options may make the schema.
const dynamic = defineTool({
  name: 'dynamic',
  description: 'd',
  options: { long: option.boolean({ label: 'Long', default: false }) },
  input: (options) => z.toJSONSchema(z.object({ text: options.long ? z.string() : z.string() })),
  effects: 'read',
  execute: ({ text }) => text satisfies string,
});

// Every concrete tool is a plain Tool.
export const tools: readonly Tool[] = [search, dynamic];

defineTool({
  name: 'wrong',
  description: 'd',
  input: z.toJSONSchema(z.object({ a: z.string() })),
  effects: 'read',
  // @ts-expect-error: the input has no member `b`
  execute: ({ b }) => b,
});

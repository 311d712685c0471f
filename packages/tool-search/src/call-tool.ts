import { defineTool, result } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import * as z from 'zod/mini';

const input = z.object({
  name: z.string().check(z.describe('The name, as returned by find_tools.')),
  input: z.looseObject({}).check(z.describe("The input, as the tool's input schema requires. {} if it needs none.")),
});

/** Calls a tool that `find_tools` has found, with the same permissions, approvals and validation as any other call. */
export const callTool = /* @__PURE__ */ defineTool({
  name: 'call_tool',
  title: 'Call a tool',
  description: 'Calls a tool that find_tools has found.',
  input: z.toJSONSchema(input),
  ui: { subtitle: 'Calls tools found by search', icon: '🔧', category: 'tools' },
  role: { type: 'tool-search' },
  effects: 'read', // the inner call is judged by its own effects
  concurrency: 1, // preserves the order of calls with side effects
  timeoutMs: 0, // the inner tool has its own timeout
  outputLimit: Infinity, // the inner tool has already limited its output
  execute: async ({ name, input: given }, _options, { call }) => {
    const { output, modelParts, isError, control, input: rewritten } = await call(name, given as JsonObject);
    return result({
      output,
      parts: modelParts,
      isError,
      ...(control && { control }),
      ...(rewritten && { input: { name, input: rewritten } }),
    });
  },
  render: { title: 'Call {name}' },
});

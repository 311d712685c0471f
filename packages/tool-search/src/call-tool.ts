import { defineTool, result } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import * as z from 'zod/mini';

const input = z.object({
  name: z.string().check(z.describe('The name that find_tools gave.')),
  input: z
    .looseObject({})
    .check(z.describe('The input, as the input schema of that tool says. {} where it needs none.')),
});

/**
 * Calls a tool that `find_tools` has found. What that tool may do, is asked about and takes is checked as in any call
 * of it.
 */
export const callTool = /* @__PURE__ */ defineTool({
  name: 'call_tool',
  title: 'Call a tool',
  description: 'Calls a tool that find_tools has found.',
  input: z.toJSONSchema(input),
  ui: { subtitle: 'Calls a tool that was found', icon: '🔧', category: 'tools' },
  role: { type: 'tool-search' },
  effects: 'read', // what the tool does is judged as a call of that tool
  concurrency: 1, // so that calls that change something keep their order
  timeoutMs: 0, // the tool has its own
  outputLimit: Infinity, // of what the tool has bounded already
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

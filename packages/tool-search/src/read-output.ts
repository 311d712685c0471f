import { defineTool, readPart, result } from '@utensil/core';
import type { Json, ToolContext } from '@utensil/core';
import * as z from 'zod/mini';

/** Maximum characters to return, so that this output is not truncated itself. */
const limit = 16_000;

/**
 * Reads omitted parts of a long output. The note in a truncated result mentions it if it is enabled.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { readOutput } from '@utensil/tool-search';
 *
 * const toolset = resolveToolset(createRegistry([readOutput]), emptySettings, {});
 * if (toolset.readBack !== 'read_output') throw new Error('unexpected');
 * ```
 */
export const readOutput = /* @__PURE__ */ defineTool({
  name: 'read_output',
  title: 'Read an output',
  description: `Reads a part of the output of an earlier tool call, of which you were shown the beginning and the end: from offset on, at most ${limit.toLocaleString('en')} characters, notes included. The result says at which offset to continue.`,
  input: z.toJSONSchema(
    z.object({
      call_id: z.string().check(z.describe('Id of that call, from the note in its result.')),
      offset: z.optional(z.int().check(z.minimum(0), z.describe('In characters. Default 0.'))),
      length: z.optional(z.int().check(z.minimum(1), z.describe('In characters. Default: as many as fit.'))),
    }),
  ),
  ui: { subtitle: 'Reads omitted parts of long outputs', icon: '📜', category: 'tools' },
  effects: 'read',
  idempotent: true,
  role: { type: 'output-reader' },
  outputLimit: limit,
  execute: async ({ call_id, offset, length }, _options, context) => {
    const output = await find(call_id, context);
    if (output === undefined) return result({ output: unknownCall(call_id), isError: true });
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    return readPart(text, { limit, ...(offset !== undefined && { offset }), ...(length !== undefined && { length }) });
  },
  render: { title: ({ offset }) => `Read an output from ${Number(offset ?? 0)} on` },
});

/** The output of a nested call belongs to the tool that made the call. */
async function find(callId: string, { outputOf }: Pick<ToolContext, 'outputOf'>): Promise<Json | undefined> {
  const [outer = callId] = callId.split('›', 1);
  return (await outputOf(callId)) ?? (outer === callId ? undefined : outputOf(outer));
}

function unknownCall(callId: string): string {
  return `There is no output of a call "${callId}" in this conversation. Give the call_id as the note in the cut result says it.`;
}

import { defineTool, isObject, option, result } from '@utensil/core';
import type { Json, RunResult } from '@utensil/core';
import * as z from 'zod/mini';
import type { Trimming } from './trim.ts';

/** What a checkpoint says to whoever goes on from it. */
export interface Checkpoint extends Trimming {
  /** Where the work stands, in the model's words. */
  readonly note: string;
  /** The user's next message, which goes on with the work; empty: the user writes it. */
  readonly continueWith: string;
}

const saved = 'Checkpoint saved. Please stop. User will call you back to continue.';

const trims = (label: string) => option.boolean({ label: `Leave out ${label}`, default: true });

/**
 * Saves where the work stands, and ends the run. `continuing` goes on from there, without the older calls of tools.
 *
 * @example
 * ```ts
 * import { createRecords, createRegistry, emptySettings, openThread, resolveToolset } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { checkpointTool, continuing } from '@utensil/tool-notes';
 *
 * const model = scriptedModel([
 *   { calls: [{ name: 'checkpoint', input: { note: 'Half of it is done.' } }] },
 *   { text: 'All of it is done.' },
 * ]);
 * const toolset = resolveToolset(createRegistry([checkpointTool]), emptySettings, {});
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * let text = '';
 * for await (const run of continuing({ model, toolset, thread, messages: 'Do it.' })) ({ text } = await run.result);
 * if (text !== 'All of it is done.') throw new Error('unexpected');
 * ```
 */
export const checkpointTool = /* @__PURE__ */ defineTool({
  name: 'checkpoint',
  title: 'Checkpoint',
  description:
    'Saves a checkpoint of a long task, and ends your turn: you will be called back to go on. Earlier tool calls may no longer be visible to you then, so note everything that you need to continue: what is done, what was found, what comes next. Call it with no other tool.',
  input: z.toJSONSchema(
    z.object({ note: z.string().check(z.minLength(1), z.describe('Where the work stands, and how to go on.')) }),
  ),
  options: {
    continueWith: option.text({
      label: 'Go on with',
      description: 'The message that is sent for you after a checkpoint. Empty: none is, and you decide.',
      default: 'please continue',
    }),
    keepSegments: option.number({
      label: 'Segments to keep',
      description:
        'How many stretches between earlier checkpoints the model still sees in full, beside the one under way; 0: none, -1: all.',
      default: 0,
      min: -1,
      step: 1,
    }),
    trimMemory: trims('older calls of the memory'),
    trimFilesystem: trims('older calls on files'),
    trimJavascript: trims('older JavaScript'),
    trimWeb: trims('older searches and pages of the web'),
    trimSketchbook: trims('older notes in the sketchbook'),
    trimOthers: trims('older calls of all other tools'),
  },
  ui: { subtitle: 'Long tasks in stretches', icon: '🏁', category: 'notes' },
  effects: 'read',
  execute: ({ note }, options) => {
    const { continueWith, keepSegments } = options;
    const tools = {
      memory: options.trimMemory,
      filesystem: options.trimFilesystem,
      javascript: options.trimJavascript,
      web_search: options.trimWeb,
      open_link: options.trimWeb,
      sketchbook: options.trimSketchbook,
      '*': options.trimOthers,
    };
    const checkpoint = { note, continueWith, keepSegments, tools };
    return result({ output: checkpoint, control: { end: { value: { checkpoint } } } });
  },
  render: {
    status: () => 'saved',
    model: () => saved,
    user: (output) => (isCheckpoint(output) ? output.note : output),
  },
});

/** The checkpoint that a run ended with; undefined where it ended otherwise. */
export function checkpointOf({ status, value }: Pick<RunResult, 'status' | 'value'>): Checkpoint | undefined {
  if (status !== 'complete' || !isObject(value)) return undefined;
  const { checkpoint } = value as { readonly checkpoint?: Json };
  return isCheckpoint(checkpoint) ? checkpoint : undefined;
}

/** Whether this is the output of a checkpoint. */
export function isCheckpoint(value: unknown): value is Checkpoint & { readonly [member: string]: Json } {
  return (
    isObject(value) &&
    typeof value['note'] === 'string' &&
    typeof value['continueWith'] === 'string' &&
    typeof value['keepSegments'] === 'number' &&
    isObject(value['tools'])
  );
}

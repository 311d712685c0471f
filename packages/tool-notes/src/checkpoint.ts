import { defineTool, isObject, option, result } from '@utensil/core';
import type { Json, RunResult } from '@utensil/core';
import * as z from 'zod/mini';
import type { Trimming } from './trim.ts';

/** Content of a checkpoint. */
export interface Checkpoint extends Trimming {
  /** State of the work, in the model's words. */
  readonly note: string;
  /** The next user message, which continues the work; empty if the user writes it. */
  readonly continueWith: string;
}

const saved = 'Checkpoint saved. Please stop. User will call you back to continue.';

const trims = (label: string) => option.boolean({ label: `Omit ${label}`, default: true });

/**
 * Saves the state of the work and ends the run. `continuing` resumes from there, without older tool calls.
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
    'Saves a checkpoint of a long task, and ends your turn: you will be called again to continue. Earlier tool calls may no longer be visible to you then, so note everything that you need to continue: finished work, findings, next steps. Call it alone, without other tools.',
  input: z.toJSONSchema(
    z.object({ note: z.string().check(z.minLength(1), z.describe('State of the work, and next steps.')) }),
  ),
  options: {
    continueWith: option.text({
      label: 'Continue with',
      description: 'Message sent on your behalf after a checkpoint. Empty: you continue yourself.',
      default: 'please continue',
    }),
    keepSegments: option.number({
      label: 'Segments to keep',
      description:
        'Number of earlier segments, from checkpoint to checkpoint, that stay fully visible to the model besides the current one. 0: none, -1: all.',
      default: 0,
      min: -1,
      step: 1,
    }),
    trimMemory: trims('older memory calls'),
    trimFilesystem: trims('older file calls'),
    trimJavascript: trims('older JavaScript'),
    trimWeb: trims('older web searches and pages'),
    trimSketchbook: trims('older sketchbook notes'),
    trimOthers: trims('older calls of all other tools'),
  },
  ui: { subtitle: 'Splits long tasks at checkpoints', icon: '🏁', category: 'notes' },
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

/** The checkpoint that ended a run; undefined for another ending. */
export function checkpointOf({ status, value }: Pick<RunResult, 'status' | 'value'>): Checkpoint | undefined {
  if (status !== 'complete' || !isObject(value)) return undefined;
  const { checkpoint } = value as { readonly checkpoint?: Json };
  return isCheckpoint(checkpoint) ? checkpoint : undefined;
}

/** True for the output of the checkpoint tool. */
export function isCheckpoint(value: unknown): value is Checkpoint & { readonly [member: string]: Json } {
  return (
    isObject(value) &&
    typeof value['note'] === 'string' &&
    typeof value['continueWith'] === 'string' &&
    typeof value['keepSegments'] === 'number' &&
    isObject(value['tools'])
  );
}

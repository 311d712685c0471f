import type { Host } from './capability.ts';
import { platform } from './environment.ts';
import type { CallContext, ToolResult } from './execute.ts';
import type { Json, JsonObject } from './json.ts';
import { createRegistry } from './registry.ts';
import { settingsVersion } from './settings/settings.ts';
import type { Tool } from './tool.ts';
import { resolveToolset } from './toolset.ts';

/** Circumstances of a single call. */
export interface RunToolOptions extends Pick<CallContext, 'progress' | 'timeoutMs' | 'outputLimit'> {
  /** The user's option values; the defaults where absent. */
  readonly options?: { readonly [id: string]: Json };
  readonly host?: Host;
  readonly signal?: AbortSignal;
  readonly projectId?: string;
}

/**
 * Runs one tool once, without a model: validates, repairs, executes and bounds as a run does. Never throws.
 *
 * @example
 * ```ts
 * import { defineTool, jsonSchema, runTool } from '@utensil/core';
 *
 * const double = defineTool({
 *   name: 'double',
 *   description: 'Doubles a number.',
 *   input: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
 *   effects: 'read',
 *   execute: ({ n }) => n * 2,
 * });
 * const { output } = await runTool(double, { n: 21 });
 * if (output !== 42) throw new Error('unexpected');
 * ```
 */
export async function runTool(tool: Tool, input: JsonObject, options: RunToolOptions = {}): Promise<ToolResult> {
  const settings = {
    version: settingsVersion,
    tools: { [tool.name]: { enabled: true, ...(options.options && { options: options.options }) } },
  } as const;
  const toolset = resolveToolset(createRegistry([tool]), settings, options.host ?? {});
  const { projectId = 'default', signal = new AbortController().signal, progress, timeoutMs, outputLimit } = options;
  const { id } = platform();
  const context: CallContext = {
    projectId,
    runId: id(),
    callId: id(),
    signal,
    ...(progress && { progress }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(outputLimit !== undefined && { outputLimit }),
  };
  return toolset.execute({ name: tool.name, input }, context);
}

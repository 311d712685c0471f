import { messageForModel } from '../base/host-paths.ts';
import type { Host } from '../tool/capability.ts';
import { platform } from '../base/environment.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings } from '../settings/settings.ts';
import { failure } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from './toolset.ts';

/** Options of a single call. */
export interface RunToolOptions extends Pick<CallContext, 'progress' | 'timeoutMs' | 'outputLimit'> {
  /** The user's option values. Default: the tool's defaults. */
  readonly options?: { readonly [id: string]: Json };
  readonly host?: Host;
  readonly signal?: AbortSignal;
  readonly projectId?: string;
  /** The user on whose behalf it runs. */
  readonly principal?: CallContext['principal'];
}

/**
 * Runs one tool once, without a model: validates, repairs, executes and limits as a run does. Never throws.
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
  const {
    options: chosen,
    host = {},
    projectId = 'default',
    signal = new AbortController().signal,
    principal,
    progress,
    timeoutMs,
    outputLimit,
  } = options;
  const settings = { ...emptySettings, tools: { [tool.name]: { enabled: true, ...(chosen && { options: chosen }) } } };
  const { id } = platform();
  const context: CallContext = {
    projectId,
    ...(principal && { principal }),
    runId: id(),
    callId: id(),
    signal,
    ...(progress && { progress }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(outputLimit !== undefined && { outputLimit }),
  };
  try {
    const { unavailable, prepare } = resolveToolset(createRegistry([tool]), settings, host);
    const [problem] = unavailable;
    if (problem !== undefined) return failure('tool_failed', `Tool "${tool.name}" cannot be used: ${problem.reason}`);
    const prepared = await prepare({ name: tool.name, input });
    const isClients = prepared.clientAnswers && prepared.refusal === undefined;
    return isClients
      ? failure('tool_failed', `Tool "${tool.name}" has no execute: its client answers.`)
      : await prepared.execute(context);
  } catch (error) {
    return failure('invalid_tool', messageForModel(error));
  }
}

import type { Json } from '../base/json.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { executeTool } from './execute.ts';
import type { Execution } from './execute.ts';

/** The background call to settle. */
interface Settling {
  /** The tool's handle for the call. */
  readonly handle: Json;
  /** Milliseconds that it is still awaited. Default: the tool's limit. */
  readonly leftMs?: number | undefined;
}

/** Waits for the result of a background call. Never throws, and returns at once when the signal fires. */
export async function settleCall(execution: Execution, { handle, leftMs }: Settling): Promise<ToolResult> {
  const { compiled, toolFingerprint, context } = execution;
  const { settle, ...face } = compiled.tool;
  const limitMs = face.settleTimeoutMs ?? 0;
  if (settle === undefined) return { ...failure('tool_interrupted', lostText(face.name)), toolFingerprint };
  const timeoutMs = limitMs <= 0 ? 0 : Math.min(leftMs ?? limitMs, limitMs);
  if (limitMs > 0 && timeoutMs <= 0) return { ...overdue(limitMs), toolFingerprint };
  const { tool } = compiled;
  const asked: Tool = {
    ...face,
    timeoutMs,
    execute: (_input, options, given) => tool.settle?.(handle, options, given),
  };
  const result = await executeTool({ ...execution, compiled: { ...compiled, tool: asked }, context });
  return result.code === 'tool_timeout' ? { ...overdue(limitMs), toolFingerprint } : result;
}

function overdue(ms: number): ToolResult {
  const text = `This call did not end within ${ms} ms, and nobody waits for it any more. It may still take effect: check that before you call it again.`;
  return failure('tool_timeout', text);
}

/** Message for the model if the tool of a background call is gone. */
export function lostText(name: string): string {
  return `The result of this call is lost: the tool "${name}" was removed, or can no longer wait for results. It may have taken effect: check that before you call it again.`;
}

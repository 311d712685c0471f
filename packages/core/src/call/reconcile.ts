import { executeTool } from './execute.ts';
import type { Execution } from './execute.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';

/**
 * Asks a tool what became of a call that had begun: its result if it is done, as `execute` would have given it. A tool that
 * throws, takes too long, or says something else does not know.
 */
export async function reconcileCall(execution: Execution): Promise<ToolResult | 'not-done' | 'unknown'> {
  const { compiled } = execution;
  let told: unknown;
  const tool: Tool = {
    ...compiled.tool,
    async execute(input, options, context) {
      told = await compiled.tool.reconcile?.(input, options, context);
      return isDone(told) ? told.done : undefined;
    },
  };
  const result = await executeTool({ ...execution, compiled: { ...compiled, tool } });
  if (told === 'not-done') return told;
  return isDone(told) && !result.isError ? result : 'unknown';
}

function isDone(told: unknown): told is { readonly done: unknown } {
  return typeof told === 'object' && told !== null && 'done' in told;
}

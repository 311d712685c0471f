import { subCallMark } from '../../model/sub-call.ts';
import { failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';

/** Maximum depth of inner calls: beyond it, some tool calls itself. */
const deepestCall = 8;

/** Refuses an inner call if the call that makes it is the deepest one. */
export function depthRefusal(callId: string): ToolResult | undefined {
  if (callId.split(subCallMark).length <= deepestCall) return undefined;
  return failure('tool_failed', `Tool execution failed: calls are nested more than ${deepestCall} deep.`);
}

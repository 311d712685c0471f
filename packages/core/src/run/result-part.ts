import { callReference } from '../model/message.ts';
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { ToolResult } from '../tool/result.ts';

/** The result of a call, as its message has it. */
export function toPart(
  call: ToolCallPart,
  result: ToolResult,
  rest: Pick<ToolResultPart, 'durationMs' | 'openWorld'>,
): ToolResultPart {
  const { output, modelParts, isError, code, deniedBy, status, userView, toolFingerprint } = result;
  return {
    type: 'tool-result',
    ...callReference(call),
    output,
    modelParts,
    isError,
    ...(code !== undefined && { code }),
    ...(deniedBy && { deniedBy }),
    ...rest,
    ...(status !== undefined && { status }),
    ...(userView !== undefined && { userView }),
    ...(toolFingerprint !== undefined && { toolFingerprint }),
  };
}

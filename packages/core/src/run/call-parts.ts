import type { PreparedCall } from '../call/prepare.ts';
import { renameCall } from '../model/message.ts';
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { ToolResult } from '../tool/result.ts';

/** A call as it runs, for its message. */
export function preparedPart(call: ToolCallPart, { name, input, title, icon, repairs }: PreparedCall): ToolCallPart {
  const { icon: _, repairs: __, ...rest } = renameCall(call, name); // a thread may be older than the name of the tool
  return {
    ...rest,
    input,
    title,
    ...(icon !== undefined && { icon }),
    ...(repairs.length > 0 && { repairs }),
  };
}

/** The result of a call, as its message has it. */
export function toPart(
  { callId, name, calledAs }: ToolCallPart,
  result: ToolResult,
  rest: Pick<ToolResultPart, 'durationMs' | 'openWorld'>,
): ToolResultPart {
  const { output, modelParts, isError, code, deniedBy, status, userView, toolFingerprint, detached } = result;
  const { durationMs, openWorld } = rest;
  return {
    type: 'tool-result',
    callId,
    name,
    ...(calledAs !== undefined && { calledAs }),
    output,
    modelParts,
    isError,
    ...(code !== undefined && { code }),
    ...(deniedBy !== undefined && { deniedBy }),
    ...(durationMs !== undefined && { durationMs }),
    ...(openWorld !== undefined && { openWorld }),
    ...(status !== undefined && { status }),
    ...(userView !== undefined && { userView }),
    ...(toolFingerprint !== undefined && { toolFingerprint }),
    ...(detached !== undefined && { detached }),
  };
}

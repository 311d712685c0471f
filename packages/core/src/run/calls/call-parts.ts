import type { PreparedCall } from '../../call/prepare.ts';
import { renameCall } from '../../model/message.ts';
import type { ToolCallPart, ToolResultPart } from '../../model/message.ts';
import type { ToolResult } from '../../tool/result.ts';

/** A call as executed, for its message. */
export function preparedPart(call: ToolCallPart, { name, input, title, icon, repairs }: PreparedCall): ToolCallPart {
  const isPlain = call.icon === undefined && call.repairs === undefined;
  return {
    ...renameCall(isPlain ? call : asCalled(call), name), // the thread may be older than the tool's name
    input,
    title,
    ...(icon !== undefined && { icon }),
    ...(repairs.length > 0 && { repairs }),
  };
}

/** A call without the members that an earlier preparation added. */
function asCalled({ icon: _, repairs: __, ...call }: ToolCallPart): ToolCallPart {
  return call;
}

/** Result part of a call's message. */
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
    output,
    modelParts,
    isError,
    ...(calledAs !== undefined && { calledAs }),
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

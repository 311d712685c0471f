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
  const { output, modelParts, isError } = result;
  const called = calledAs === undefined ? { callId, name } : { callId, name, calledAs };
  const part: ToolResultPart = { type: 'tool-result', ...called, output, modelParts, isError };
  const known: Partial<ToolResultPart> = { ...result, ...rest };
  for (const each of optional) if (known[each] !== undefined) Object.assign(part, { [each]: known[each] });
  return part;
}

/** Members that a part has if they are known, in this order. */
const optional = [
  'code',
  'deniedBy',
  'durationMs',
  'openWorld',
  'status',
  'userView',
  'toolFingerprint',
  'detached',
] as const;

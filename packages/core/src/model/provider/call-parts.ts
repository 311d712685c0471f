import type { ToolCall, ToolInputDelta, ToolInputStart } from '../model.ts';
import { parseToolInput } from '../tool-input.ts';

/** Id for a call that the server gave none: 37 characters, because some vendors accept at most 40. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Parts of a complete call for us to run. `written` holds its arguments: JSON text, or the value itself. */
export function wholeCall(
  callId: string,
  name: string,
  written: unknown,
): readonly [ToolInputStart, ToolInputDelta, ToolCall] {
  const parsed = parseToolInput(written);
  const delta = typeof written === 'string' ? written : (parsed.invalidInput ?? JSON.stringify(parsed.input));
  return [
    { type: 'tool-input-start', callId, name },
    { type: 'tool-input-delta', callId, delta },
    { type: 'tool-call', callId, name, ...parsed, executedBy: 'us' },
  ];
}

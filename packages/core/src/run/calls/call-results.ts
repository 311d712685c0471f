import type { Message, ToolCallPart } from '../../model/message.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { RunInput } from '../loop/state.ts';
import type { RunContext } from '../run-context.ts';
import { taintBy } from '../taint.ts';
import type { Background } from './background.ts';
import { toPart } from './call-parts.ts';
import { recordOf } from './call-records.ts';

/** Returns the input for a result, and records the `tool-end` event, which is emitted once its message is stored. */
export type Settle = (call: ToolCallPart, result: ToolResult, durationMs: number) => RunInput;

export function createSettle({ calls, environment, runId, taint }: RunContext): Settle {
  return function settle(call, result, durationMs) {
    const { callId, name } = call;
    const record = recordOf(calls, callId);
    const isOutside = (record.ready?.openWorld ?? false) && result.toolFingerprint !== undefined;
    if (isOutside) taintBy(taint, name);
    record.ready = undefined;
    record.running = undefined;
    if (result.detached !== undefined) record.detached = call;
    const part = toPart(call, result, isOutside ? { durationMs, openWorld: true } : { durationMs });
    const message: Message = { id: environment.id(), role: 'tool', parts: [part], createdAt: environment.now(), runId };
    record.ending = { messageId: message.id, event: { type: 'tool-end', callId, name, result, durationMs } };
    return { type: 'result', callId, message, result };
  };
}

/** Reports a stored message, or one of a run without a thread. `tool-end` comes before the message of a result; a background call is then awaited. */
export function emitStored({ calls, emit }: RunContext, message: Message, settleLater: Background['settle']): void {
  const [part] = message.parts;
  const record = part?.type === 'tool-result' ? calls.get(part.callId) : undefined;
  if (record?.ending?.messageId === message.id) {
    emit(record.ending.event);
    record.ending = undefined;
  }
  emit({ type: 'message', message });
  if (part?.type === 'tool-result' && part.detached !== undefined)
    settleLater({ receipt: { ...part, detached: part.detached }, message, call: record?.detached });
}

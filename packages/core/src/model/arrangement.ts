import { followingResults, interruptedText } from './history.ts';
import { callReference, callsOf, isOurCall, withParts } from './message.ts';
import type { Message, ToolCallPart, ToolResultPart } from './message.ts';

/**
 * Normalizes a history so that every API accepts it: each assistant message is followed by exactly one result per call,
 * in call order. Calls without a result (after a crash or an abort) are answered as interrupted; results without a call,
 * and calls and results that repeat an id, are dropped. Messages already in place keep their identity.
 */
export function arrangeHistory(messages: readonly Message[]): readonly Message[] {
  const arranged: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const given = messages[index] as Message;
    if (given.role === 'tool') continue; // handled with the assistant message before it
    const message = withoutRepeats(given);
    arranged.push(message);
    const calls = message.role === 'assistant' ? callsOf(message) : [];
    if (calls.length === 0) continue;
    const following = messages.slice(index + 1, index + 1 + calls.length);
    if (calls.every(({ callId }, at) => isResultOf(callId, following[at]))) {
      arranged.push(...following);
      continue;
    }
    const answers = followingResults(messages, index + 1);
    for (const call of calls) arranged.push(answers.get(call.callId) ?? interrupted(message, call));
  }
  return arranged;
}

/**
 * A message with only the first of its calls with the same id. They could not be told apart: what is approved for one
 * would run for the other.
 */
export function withoutRepeats(message: Message): Message {
  if (message.parts.length < 2) return message;
  const calls = callsOf(message);
  const left = new Set(calls.map(({ callId }) => callId));
  if (left.size === calls.length) return message;
  return withParts(
    message,
    message.parts.filter((part) => !isOurCall(part) || left.delete(part.callId)),
  );
}

/** True if a message is the result of a call, and nothing else. */
function isResultOf(callId: string, message: Message | undefined): boolean {
  if (message?.role !== 'tool' || message.parts.length !== 1) return false;
  const [part] = message.parts;
  return part?.type === 'tool-result' && part.callId === callId;
}

function interrupted({ id, createdAt }: Message, call: ToolCallPart): Message {
  const part: ToolResultPart = {
    type: 'tool-result',
    ...callReference(call),
    output: interruptedText,
    modelParts: [{ type: 'text', text: interruptedText }],
    isError: true,
    code: 'tool_interrupted',
  };
  return { id: `${id}/${call.callId}`, role: 'tool', parts: [part], createdAt };
}

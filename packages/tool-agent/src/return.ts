import { messagesOf, callsOf, defineTool, jsonSchema, result, toJson } from '@utensil/core';
import type { Json, JsonObject, Thread, Tool, ToolCallPart } from '@utensil/core';

/** Return policy of an agent, including the treatment of answers without a value. */
export type ReturnMode = 'no-return' | 'both' | 'return-only' | 'enforced' | 'auto-enforced';

/** Context of a return. */
export interface Returning {
  /** Thread with the calls of the turn. */
  readonly thread: Thread;
  /** True if a return does not end the work: the last one counts. */
  readonly isDeferred: boolean;
  /** Validates the value. Resolves to a complaint, or undefined. */
  verify(value: Json): Promise<string | undefined>;
  /** Stores the value. */
  keep(value: Json): void;
}

export const returnName = 'return';

const parallelText =
  'ERROR: return cannot be called in parallel with other tools. Please try again with return as the only tool call.';

const keptText = 'Stored. Finish any remaining work, then end your turn; return again to replace the value.';

/** The tool with which an agent returns its answer to its caller. */
export function returnTool({ thread, isDeferred, verify, keep }: Returning): Tool {
  return defineTool({
    name: returnName,
    title: 'Return',
    description: isDeferred
      ? 'Stores the result of your task for the assistant that gave it to you. Your work continues until you end your turn. Call it without other tools.'
      : 'Ends your work and returns its result to the assistant that gave you the task. Call it without other tools.',
    input: jsonSchema<{ readonly value: Json }>({
      type: 'object',
      properties: { value: { description: 'The result: text, or any JSON.' } },
      required: ['value'],
    } satisfies JsonObject),
    internal: true,
    effects: 'read',
    render: { title: 'Return' },
    async execute({ value }, _options, { callId, signal }) {
      const turn = await storedTurn(thread, callId, signal);
      if (turn.length > 1) return result({ output: parallelText, isError: true });
      const complaint = await verify(value);
      if (complaint !== undefined) return result({ output: notAccepted(complaint), isError: true });
      keep(value);
      return isDeferred ? keptText : result({ output: 'Returned.', control: { end: { value: toJson(value) } } });
    },
  });
}

/** The value that a run returned last, from its thread. */
export async function storedReturn(thread: Thread, runId: string): Promise<{ readonly value: Json } | undefined> {
  const parts = (await messagesOf(thread)).flatMap((message) => (message.runId === runId ? message.parts : []));
  const taken = parts.flatMap((part) =>
    part.type === 'tool-result' && part.name === returnName && !part.isError ? part.callId : [],
  );
  const last = parts.findLast((part) => part.type === 'tool-call' && part.callId === taken.at(-1));
  return last?.type === 'tool-call' ? { value: last.input['value'] ?? null } : undefined;
}

/** Message to an agent whose answer was rejected. */
export function notAccepted(complaint: string): string {
  return `The result was not accepted: ${complaint}`;
}

/** Calls of the turn that contains a call, as soon as it is stored: that is still pending when its calls start. */
async function storedTurn(thread: Thread, callId: string, signal: AbortSignal): Promise<readonly ToolCallPart[]> {
  for (;;) {
    const change = nextChange(thread, signal);
    const turns = (await messagesOf(thread)).filter(({ incomplete }) => incomplete === undefined).map(callsOf);
    const turn = turns.findLast((calls) => calls.some((call) => call.callId === callId));
    if (turn !== undefined) {
      change.stop();
      return turn;
    }
    await change.happened;
    signal.throwIfAborted();
  }
}

function nextChange(thread: Thread, signal: AbortSignal): { readonly happened: Promise<void>; stop(): void } {
  let stop: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    const leave = thread.watch(() => stop());
    stop = () => {
      leave();
      signal.removeEventListener('abort', stop);
      resolve();
    };
    signal.addEventListener('abort', stop);
  });
  return { happened, stop };
}

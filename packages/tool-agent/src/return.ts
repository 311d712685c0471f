import { messagesOf, callsOf, defineTool, jsonSchema, result, toJson } from '@utensil/core';
import type { Json, JsonObject, Thread, Tool, ToolCallPart } from '@utensil/core';

/** Whether an agent returns a value, and what becomes of an answer without one. */
export type ReturnMode = 'no-return' | 'both' | 'return-only' | 'enforced' | 'auto-enforced';

/** What a return is part of. */
export interface Returning {
  /** Where the calls of the turn are. */
  readonly thread: Thread;
  /** It does not end the agent's work: the last one counts. */
  readonly isDeferred: boolean;
  /** What is wrong with the value, if anything. */
  verify(value: Json): Promise<string | undefined>;
  /** Takes the value. */
  keep(value: Json): void;
}

export const returnName = 'return';

const parallelText =
  'ERROR: return cannot be called in parallel with other tools. Please try again with return as the only tool call.';

const keptText = 'Kept. Finish what is left, then end your turn; return again to replace the value.';

/** The tool with which an agent gives its answer to the one that began it. */
export function returnTool({ thread, isDeferred, verify, keep }: Returning): Tool {
  return defineTool({
    name: returnName,
    title: 'Return',
    description: isDeferred
      ? 'Keeps the result of your task for the one who gave it to you. Your work goes on until you end your turn. Call it with no other tool.'
      : 'Ends your work, and gives its result to the one who gave you the task. Call it with no other tool.',
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

/** The value that a run returned last, as its thread has it. */
export async function storedReturn(thread: Thread, runId: string): Promise<{ readonly value: Json } | undefined> {
  const parts = (await messagesOf(thread)).flatMap((message) => (message.runId === runId ? message.parts : []));
  const taken = parts.flatMap((part) =>
    part.type === 'tool-result' && part.name === returnName && !part.isError ? part.callId : [],
  );
  const last = parts.findLast((part) => part.type === 'tool-call' && part.callId === taken.at(-1));
  return last?.type === 'tool-call' ? { value: last.input['value'] ?? null } : undefined;
}

/** What an agent is told of an answer that does not do. */
export function notAccepted(complaint: string): string {
  return `The result was not accepted: ${complaint}`;
}

/** The calls of the turn that has a call, as soon as it is stored: that is under way when its calls begin. */
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

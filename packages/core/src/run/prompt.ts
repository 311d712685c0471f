import type { Message } from '../model/message.ts';
import type { ModelInfo } from '../model/model.ts';
import type { RunContext } from './run-context.ts';
import { observerOf } from './taint.ts';

/** Instructions and the tools' prompts. */
export async function systemPrompt(run: RunContext, model: ModelInfo): Promise<string> {
  const { instructions, toolset, projectId, thread, emit, taint } = run;
  const prompts = await toolset.prompts({
    model,
    projectId,
    observer: observerOf({ taint }),
    ...(thread && { threadId: thread.id }),
    warn: (message) => emit({ type: 'error', error: { code: 'tool_failed', message } }),
  });
  return [instructions(model), ...prompts].filter((text) => text !== '').join('\n\n');
}

/** Only this request has it: it is no part of the history. */
export function noteMessage(note: string): Message {
  return { id: 'note', role: 'user', parts: [{ type: 'text', text: note }], createdAt: 0 };
}

import type { Message } from '../model/message.ts';
import type { ModelInfo } from '../model/model.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { RunContext } from './run-context.ts';
import { observerOf } from './taint.ts';

/** Instructions and the tools' prompts. */
export async function systemPrompt(run: RunContext, model: ModelInfo): Promise<string> {
  const prompts = await toolPrompts(run, model, run.toolset);
  return [run.instructions(model), ...prompts].filter((text) => text !== '').join('\n\n');
}

/** The prompts of some tools of a run. */
export function toolPrompts(run: RunContext, model: ModelInfo, toolset: Toolset): Promise<readonly string[]> {
  const { projectId, thread, emit, taint } = run;
  return toolset.prompts({
    model,
    projectId,
    observer: observerOf({ taint }),
    ...(thread && { threadId: thread.id }),
    warn: (message) => emit({ type: 'error', error: { code: 'tool_failed', message } }),
  });
}

/** What the model is told in the place where the history ended then. */
export interface PlacedNote {
  /** The id of the message before it. */
  readonly after: string | undefined;
  readonly text: string;
}

/**
 * A history with what the model is told beside it, which is no part of it: where it was told first, so that requests begin
 * as before; at the beginning if that place is no longer shown. `last` is of this request alone.
 */
export function withNotes(
  messages: readonly Message[],
  notes: readonly PlacedNote[],
  last: string | undefined,
): readonly Message[] {
  const all = last === undefined ? messages : [...messages, noteMessage('note', last)];
  return notes.reduceRight((shown, { after, text }, index) => {
    const place = shown.findIndex(({ id }) => id === after) + 1;
    return shown.toSpliced(place, 0, noteMessage(`note-${index + 1}`, text));
  }, all);
}

function noteMessage(id: string, text: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 };
}

import type { Message } from '../../model/message.ts';
import type { ModelInfo } from '../../model/model.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import type { RunContext } from '../run-context.ts';
import { CallObserver } from '../taint.ts';

/** Instructions with the prompts of tools. */
export async function systemPrompt(run: RunContext, model: ModelInfo): Promise<string> {
  const prompts = await toolPrompts(run, model, run.toolset);
  return [run.instructions(model), ...prompts].filter((text) => text !== '').join('\n\n');
}

/** Prompts of some tools of a run. */
export function toolPrompts(run: RunContext, model: ModelInfo, toolset: Toolset): Promise<readonly string[]> {
  const { projectId, thread, emit, taint } = run;
  return toolset.prompts({
    model,
    projectId,
    observer: new CallObserver(taint),
    ...(thread && { threadId: thread.id }),
    warn: (message) => emit({ type: 'error', error: { code: 'tool_failed', message } }),
  });
}

/** A note for the model at a point in the history. */
export interface PlacedNote {
  /** Id of the message before it. */
  readonly after: string | undefined;
  readonly text: string;
}

/**
 * Adds notes to a history without changing it: each at the place where it was first shown, so that requests begin as
 * before; at the beginning if that place is no longer shown, and behind the results of calls. Equal notes at one place
 * are one. `last` applies to this request only.
 */
export function withNotes(
  messages: readonly Message[],
  notes: readonly PlacedNote[],
  last: string | undefined,
): readonly Message[] {
  const all = last === undefined ? messages : [...messages, noteMessage('note', last)];
  return notes.reduceRight((shown, { after, text }, index) => {
    let place = shown.findIndex(({ id }) => id === after) + 1;
    while (shown[place]?.role === 'tool') place++;
    const { role, parts: [next] = [] } = shown[place] ?? {};
    if (role === 'user' && next?.type === 'text' && next.text === text) return shown;
    return shown.toSpliced(place, 0, noteMessage(`note-${index + 1}`, text));
  }, all);
}

function noteMessage(id: string, text: string): Message {
  return { id, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 };
}

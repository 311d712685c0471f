import type { Model } from '../../model/model.ts';
import type { Usage } from '../../model/usage.ts';
import { addUsage } from '../../model/add-usage.ts';
import { noUsage } from '../../model/usage.ts';
import type { Message } from '../../model/message.ts';
import type { RunThread } from '../run-thread.ts';
import { summaryRequest } from './summary.ts';

/** What is left out of the requests of a thread: all before a message. */
export interface Compaction {
  readonly compactedBefore: string;
  readonly summary?: string;
}

/** Who compacts. */
export interface Compactor {
  readonly model: Model;
  readonly thread: RunThread | undefined;
  readonly runId: string;
  readonly summarizes: boolean;
  readonly signal: AbortSignal;
  now(): number;
  /** Told of what a summary took. */
  spend(usage: Usage): void;
}

/**
 * What an earlier run of the thread has left out of its requests: the next ones begin as its did. Undefined where it
 * left out nothing.
 */
export function earlierCompaction({ thread }: Compactor): Compaction | undefined {
  const last = thread?.compaction();
  return last && { compactedBefore: last.before, ...(last.summary !== undefined && { summary: last.summary }) };
}

/** A history is cut at another place: what is left out is summarized where that is wanted, and the thread remembers it. */
export async function compactTo(
  compactor: Compactor,
  messages: readonly Message[],
  { before, previous }: { readonly before: string; readonly previous: string | undefined },
): Promise<Compaction> {
  const summary = compactor.summarizes
    ? await summarize(compactor, messages, { before, previous: previous ?? '' })
    : '';
  const told = summary !== '' && { summary };
  const { thread, runId } = compactor;
  await thread?.note({ type: 'compacted', before, runId, time: compactor.now(), ...told });
  return { compactedBefore: before, ...told };
}

/** A summary in the model's words; none where it fails, which loses no more than a summary. */
async function summarize(
  { model, signal, spend }: Compactor,
  messages: readonly Message[],
  cut: { readonly before: string; readonly previous: string },
): Promise<string> {
  let text = '';
  let usage = noUsage;
  try {
    for await (const part of model.stream(summaryRequest(messages, cut), { signal })) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'finish') usage = addUsage(usage, part.usage);
    }
  } catch {
    text = cut.previous;
  }
  spend(usage);
  return text.trim();
}

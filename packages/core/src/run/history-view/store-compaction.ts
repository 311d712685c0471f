import type { Environment } from '../../base/environment.ts';
import { isUtensilError } from '../../base/errors.ts';
import type { Model, ModelRequest } from '../../model/model.ts';
import type { Usage } from '../../model/usage.ts';
import type { Message } from '../../model/message.ts';
import type { RunLimits } from '../../tool/run-limits.ts';
import { defaultRetries } from '../loop/limits.ts';
import { isTooLong, pause, retryDelay } from '../turn/retry-wait.ts';
import type { RunThread } from '../run-thread.ts';
import { summaryRequest } from './summary.ts';

/** Maximum share of the context window that a request for a summary may use, as estimated. */
const share = 0.6;

/** The omitted part of a thread: everything before a message. */
export interface Compaction {
  readonly compactedBefore: string;
  readonly summary?: string;
}

/** Dependencies of a compaction. */
export interface Compactor {
  readonly model: Model;
  readonly thread: RunThread | undefined;
  readonly runId: string;
  readonly summarizes: boolean;
  readonly limits: Pick<RunLimits, 'retries'>;
  readonly request: Pick<ModelRequest, 'maxOutputTokens'>;
  readonly signal: AbortSignal;
  now(): number;
  /** Default: the platform's timers. */
  readonly after?: Environment['after'] | undefined;
  /** Called with the usage of a summary. */
  spend(usage: Usage): void;
}

/**
 * The compaction of an earlier run of the thread, so that the next requests begin like its requests. Undefined if there
 * is none.
 */
export function earlierCompaction({ thread }: Compactor): Compaction | undefined {
  const last = thread?.compaction();
  return last && { compactedBefore: last.before, ...(last.summary !== undefined && { summary: last.summary }) };
}

/** Moves the cut of a history: summarizes the omitted part if requested, and stores the compaction in the thread. */
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

/** A summary by the model; the previous one if that fails, which loses no more than one summary. */
async function summarize(
  compactor: Compactor,
  messages: readonly Message[],
  cut: { readonly before: string; readonly previous: string },
): Promise<string> {
  const { signal, limits, model, after } = compactor;
  const { contextWindow } = model.info;
  const bound = contextWindow !== undefined && { maxTokens: contextWindow * share }; // a refused summary is lost
  const request = summaryRequest(messages, { ...cut, ...bound });
  for (let left = limits.retries ?? defaultRetries, retry = 0; ; left--, retry++) {
    try {
      return await answerTo(request, compactor);
    } catch (error) {
      const isPassing = isUtensilError(error) && error.retryable && !isTooLong(error.retryAfterMs);
      if (left <= 0 || !isPassing || signal.aborted) return cut.previous;
      await pause(retryDelay(retry, error.retryAfterMs), signal, after).catch(() => undefined);
    }
  }
}

async function answerTo(request: ModelRequest, { model, signal, spend }: Compactor): Promise<string> {
  let text = '';
  for await (const part of model.stream(request, { signal })) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'finish') spend(part.usage);
  }
  return text.trim();
}

import { messagesOf, run } from '@utensil/core';
import type { Message, Part, Run, RunOptions, StoredEntry, Thread } from '@utensil/core';
import { checkpointOf, checkpointTool, isCheckpoint } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { trim } from './trim.ts';

/** Options of {@link continuing}. */
export interface ContinuingOptions extends RunOptions {
  readonly thread: Thread;
  /** Maximum number of checkpoints to continue from without the user. Default: 20. */
  readonly mostCheckpoints?: number;
}

/**
 * Runs, and continues with another run after each checkpoint, until the model has answered or something else ends it.
 * Yields each run as it starts, for its events, and continues once it has ended. Limits apply to each run.
 */
export async function* continuing({ mostCheckpoints = 20, ...options }: ContinuingOptions): AsyncGenerator<Run, void> {
  const thread = trimmedThread(options.thread);
  let next: RunOptions = { ...options, thread };
  for (let checkpoints = 0; ; checkpoints++) {
    const turn = run(next);
    yield turn;
    const { continueWith = '' } = checkpointOf(await turn.result) ?? {};
    if (continueWith === '' || checkpoints >= mostCheckpoints) return;
    const { toolChoice, ...rest } = options;
    next = { ...rest, thread, messages: continueWith, ...(toolChoice === 'none' && { toolChoice }) };
  }
}

/** A thread whose messages are read with {@link trimAtCheckpoints}. The stored messages stay complete. */
export function trimmedThread(thread: Thread): Thread {
  return {
    ...thread,
    async read(options) {
      const [page, all] = await Promise.all([thread.read(options), messagesOf(thread)]);
      const trimmed = new Map(trimAtCheckpoints(all).map((message) => [message.id, message]));
      const entries = page.entries.flatMap(({ position, entry }): readonly StoredEntry[] => {
        if (entry.type !== 'message' && entry.type !== 'revision') return [{ position, entry }];
        const message = trimmed.get(entry.message.id);
        return message === undefined ? [] : [{ position, entry: { ...entry, message } }];
      });
      return { ...page, entries };
    },
  };
}

/**
 * Omits older tool calls from a history, as its last checkpoint specifies. The result changes only at the next
 * checkpoint, so that requests in between share their prefix.
 */
export function trimAtCheckpoints(messages: readonly Message[]): readonly Message[] {
  const last = messages.flatMap(({ parts }) => parts.flatMap((part) => checkpointIn(part) ?? [])).at(-1);
  return last === undefined ? messages : trim(messages, (part) => checkpointIn(part) !== undefined, last);
}

function checkpointIn(part: Part): Checkpoint | undefined {
  if (part.type !== 'tool-result' || part.name !== checkpointTool.name || part.isError) return undefined;
  return isCheckpoint(part.output) ? part.output : undefined;
}

import { messagesOf, run } from '@utensil/core';
import type { Message, Part, Run, RunOptions, StoredEntry, Thread } from '@utensil/core';
import { checkpointOf, checkpointTool, isCheckpoint } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { trim } from './trim.ts';

/** How a conversation goes on from checkpoint to checkpoint. */
export interface ContinuingOptions extends RunOptions {
  readonly thread: Thread;
  /** How many checkpoints are gone on from without the user. Default 20. */
  readonly mostCheckpoints?: number;
}

/**
 * A run, and after each checkpoint another one, until the model has answered or something else ended it. Gives each of
 * them as it begins, for its events, and goes on when it has ended. Limits are those of each run.
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

/** A thread whose messages are read as after {@link trimAtCheckpoints}. What is stored stays whole. */
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
 * A history without older calls of tools, as its last checkpoint says. It changes with the next checkpoint and not
 * before, so that requests in between begin alike.
 */
export function trimAtCheckpoints(messages: readonly Message[]): readonly Message[] {
  const last = messages.flatMap(({ parts }) => parts.flatMap((part) => checkpointIn(part) ?? [])).at(-1);
  return last === undefined ? messages : trim(messages, (part) => checkpointIn(part) !== undefined, last);
}

function checkpointIn(part: Part): Checkpoint | undefined {
  if (part.type !== 'tool-result' || part.name !== checkpointTool.name || part.isError) return undefined;
  return isCheckpoint(part.output) ? part.output : undefined;
}

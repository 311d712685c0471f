import type { UtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { messagesIn } from '../thread/messages.ts';
import type { CallEntry, CompactionEntry } from '../thread/entry.ts';
import type { Claim, Thread } from '../thread/thread.ts';

/** The thread of a run, which appends to it under a claim. */
export interface RunThread {
  readonly id: string;
  /** Takes the thread, and reads it. Throws `thread_busy`. */
  open(): Promise<ReadThread>;
  /** Stores a message, in place of an earlier one of the same id, or as the draft. */
  store(message: Message, options: { readonly isDraft: boolean }): Promise<void>;
  /** Stores what became of a call, or of the history. */
  note(entry: CallEntry | CompactionEntry, options?: { readonly durable?: boolean }): Promise<void>;
  /** The last compaction that was there when the thread was read. */
  compaction(): CompactionEntry | undefined;
  /** Leaves the thread to others. */
  release(): Promise<void>;
}

/** A thread as a run finds it. */
export interface ReadThread {
  readonly messages: readonly Message[];
  readonly calls: readonly CallEntry[];
}

/** Prepares the thread of a run. `lost` is called if another run takes it over, or it is removed. */
export function createRunThread(
  thread: Thread,
  { runId, lost }: { readonly runId: string; lost(reason: UtensilError): void },
): RunThread {
  const whole = new Set<string>();
  let claiming: Promise<Claim> | undefined;
  let held: Claim | undefined;
  let isReleased = false;
  let compaction: CompactionEntry | undefined;

  async function claim(): Promise<Claim> {
    const taken = await thread.claim({ runId });
    if (isReleased) void taken.release(); // the run was aborted before it had the thread
    taken.lost.addEventListener('abort', () => lost(taken.lost.reason as UtensilError), { once: true });
    return (held = taken);
  }

  const append = async (
    entry: Parameters<Thread['append']>[0][number],
    options: { readonly durable?: boolean } = {},
  ): Promise<void> => void (await thread.append([entry], { ...options, claim: await (claiming ??= claim()) }));

  return {
    id: thread.id,
    async open() {
      await (claiming ??= claim());
      const page = await thread.read();
      const messages = messagesIn(page);
      for (const { id, incomplete } of messages) if (incomplete === undefined) whole.add(id);
      const calls: CallEntry[] = [];
      for (const { entry } of page.entries) {
        if (entry.type === 'compacted') compaction = entry;
        else if (entry.type !== 'message' && entry.type !== 'revision') calls.push(entry);
      }
      return { messages, calls };
    },
    async store(message, { isDraft }) {
      const type = isDraft ? 'draft' : whole.has(message.id) ? 'revision' : 'message';
      await append({ type, message });
      if (message.incomplete === undefined) whole.add(message.id);
    },
    note: append,
    compaction: () => compaction,
    async release() {
      isReleased = true;
      await held?.release();
    },
  };
}

import type { UtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { messagesIn } from '../thread/messages.ts';
import { askedIn } from '../thread/open-questions.ts';
import type { AskedQuestion } from '../thread/open-questions.ts';
import type { CallEntry, CompactionEntry, StoredEntry, ThreadEntry } from '../thread/entry.ts';
import type { Claim, Thread } from '../thread/thread.ts';

/** The thread of a run, which appends to it under a claim. */
export interface RunThread {
  readonly id: string;
  /** Takes the thread, and reads it. Throws `thread_busy`. */
  open(): Promise<ReadThread>;
  /** Stores a message, in place of an earlier one of the same id, or as the draft. */
  store(message: Message, options: { readonly isDraft: boolean }): Promise<void>;
  /** Stores what is no message, and gives its position. */
  note(entry: Note, options?: { readonly durable?: boolean }): Promise<number>;
  /** Entries after a position. */
  after(position: number): Promise<readonly StoredEntry[]>;
  /** Position of the last entry when the thread was read. */
  last(): number;
  watch: Thread['watch'];
  /** The last compaction that was there when the thread was read. */
  compaction(): CompactionEntry | undefined;
  /** Leaves the thread to others. */
  release(): Promise<void>;
}

/** What a run stores beside messages. */
export type Note = Exclude<ThreadEntry, { readonly message: Message }>;

/** A thread as a run finds it. */
export interface ReadThread {
  readonly messages: readonly Message[];
  readonly calls: readonly CallEntry[];
  /** What was asked about calls that have no result. */
  readonly questions: readonly AskedQuestion[];
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
  let last = 0;

  async function claim(): Promise<Claim> {
    const taken = await thread.claim({ runId });
    if (isReleased) void taken.release(); // the run was aborted before it had the thread
    taken.lost.addEventListener('abort', () => lost(taken.lost.reason as UtensilError), { once: true });
    return (held = taken);
  }

  const append = async (entry: ThreadEntry, options: { readonly durable?: boolean } = {}): Promise<number> =>
    thread.append([entry], { ...options, claim: await (claiming ??= claim()) });

  return {
    id: thread.id,
    async open() {
      await (claiming ??= claim());
      const page = await thread.read();
      const messages = messagesIn(page);
      for (const { id, incomplete } of messages) if (incomplete === undefined) whole.add(id);
      ({ last } = page);
      compaction = page.entries.map(({ entry }) => entry).findLast((entry) => entry.type === 'compacted');
      const calls = page.entries.flatMap(({ entry }) => (isCall(entry) ? entry : []));
      return { messages, calls, questions: askedIn(page) };
    },
    async store(message, { isDraft }) {
      const type = isDraft ? 'draft' : whole.has(message.id) ? 'revision' : 'message';
      await append({ type, message });
      if (message.incomplete === undefined) whole.add(message.id);
    },
    note: append,
    after: async (position) => (await thread.read({ after: position })).entries,
    last: () => last,
    watch: thread.watch,
    compaction: () => compaction,
    async release() {
      isReleased = true;
      await held?.release();
    },
  };
}

function isCall(entry: StoredEntry['entry']): entry is CallEntry {
  return entry.type === 'call-begun' || entry.type === 'call-approved';
}

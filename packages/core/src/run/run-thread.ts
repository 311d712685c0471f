import type { UtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { innerLogsIn } from '../thread/inner-log.ts';
import type { InnerLog } from '../thread/inner-log.ts';
import { messagesIn } from '../thread/messages.ts';
import { cancelledIn } from '../thread/detached-calls.ts';
import { askedIn } from '../thread/open-questions.ts';
import type { AskedQuestion } from '../thread/open-questions.ts';
import type { CallEntry, CancelEntry, CompactionEntry, RunEntry, StoredEntry, ThreadEntry } from '../thread/entry.ts';
import type { Claim, Thread, ThreadPage } from '../thread/thread.ts';
import type { RunStatus } from '../tool/run-result.ts';

/** The thread of a run, which appends under a claim. */
export interface RunThread {
  readonly id: string;
  /** Claims and reads the thread. Throws `thread_busy`. */
  open(): Promise<ReadThread>;
  /**
   * Stores messages, and the beginning of a call, in one commit: each message replaces an earlier one with the same id, or becomes
   * the draft.
   */
  store(messages: readonly NewMessage[], beginning?: CallBeginning): Promise<void>;
  /** Stores other entries in one commit, and returns the last position. */
  note(entry: Note | readonly Note[], options?: { readonly durable?: boolean }): Promise<number>;
  /** Reads entries after a position. */
  after(position: number): Promise<readonly StoredEntry[]>;
  /** Position of the last entry when the thread was read. */
  last(): number;
  watch: Thread['watch'];
  /** The claim; undefined before the thread is opened. */
  claim(): Claim | undefined;
  /** The last compaction when the thread was read. */
  compaction(): CompactionEntry | undefined;
  /** Ids of the messages after which entries were missing when the thread was read; undefined: at the beginning. */
  gaps(): ReadonlySet<string | undefined>;
  /** Stores the end of the run, if it has stored anything, and releases the thread. */
  leave(status: RunStatus): Promise<void>;
}

/** A message to store. */
export interface NewMessage {
  readonly message: Message;
  readonly isDraft?: boolean;
}

/** The beginning of a call. */
export interface CallBeginning {
  readonly entry: CallEntry;
  /** The commit must survive a loss of power. */
  readonly durable: boolean;
}

/** Entries other than messages that a run stores. */
export type Note = Exclude<ThreadEntry, { readonly message: Message }>;

/** State of a thread at the start of a run. */
export interface ReadThread {
  /** Fence of the claim. */
  readonly fence?: number;
  readonly messages: readonly Message[];
  readonly calls: readonly CallEntry[];
  /** Questions about calls without a result. */
  readonly questions: readonly AskedQuestion[];
  /** Logs of inner calls, by call. */
  readonly inner: ReadonlyMap<string, InnerLog>;
  /** Cancellations of background calls, by call. */
  readonly cancelled?: ReadonlyMap<string, CancelEntry>;
  /** True if entries after the last turn are missing: one may be the beginning of a call. */
  readonly mayLackBeginnings?: boolean;
  /** Ids of calls of other branches, which calls of this one must not reuse. */
  readonly otherCalls?: ReadonlySet<string> | undefined;
}

/** Identity of the writer. */
export interface RunThreadSetup {
  readonly runId: string;
  /** The thread as read before the claim, if it was read. */
  readonly earlier?: ThreadPage | undefined;
  now(): number;
  /** Called if another run takes over the thread, or it is removed. */
  lost(reason: UtensilError): void;
}

/** Creates the thread of a run. */
export function createRunThread(thread: Thread, { runId, earlier, now, lost }: RunThreadSetup): RunThread {
  const whole = new Set<string>();
  let claiming: Promise<Claim> | undefined;
  let held: Claim | undefined;
  let isReleased = false;
  let isBegun = false;
  let pending = 0;
  let last = 0;
  let compaction: CompactionEntry | undefined;
  let gaps: ReadonlySet<string | undefined> = new Set();

  async function claim(): Promise<Claim> {
    const taken = await thread.claim({ runId });
    if (isReleased) void taken.release().catch(() => undefined); // the run was aborted before it had the thread
    taken.lost.addEventListener('abort', () => lost(taken.lost.reason as UtensilError), { once: true });
    return (held = taken);
  }

  async function append(
    entry: ThreadEntry | readonly ThreadEntry[],
    options: { readonly durable?: boolean } = {},
  ): Promise<number> {
    const begins: ThreadEntry[] = isBegun ? [] : [noteOf('run-begun')];
    isBegun = true;
    pending++;
    try {
      const entries = begins.concat(entry);
      return await thread.append(entries, { ...options, claim: await (claiming ??= claim()) });
    } catch (error) {
      if (begins.length > 0) isBegun = false;
      throw error;
    } finally {
      pending--;
    }
  }

  function entryOf({ message, isDraft = false }: NewMessage): ThreadEntry {
    return { type: isDraft ? 'draft' : whole.has(message.id) ? 'revision' : 'message', message };
  }

  function noteOf(type: RunEntry['type'], status?: RunStatus): RunEntry {
    return { type, runId, ...(status !== undefined && { status }), time: now() };
  }

  return {
    id: thread.id,
    async open() {
      const { fence } = await (claiming ??= claim());
      const known = earlier?.otherCalls === undefined ? earlier : undefined; // another run may continue a branch by now
      const rest = await thread.read({ after: known?.last ?? 0 });
      const page = { ...rest, entries: [...(known?.entries ?? []), ...rest.entries] };
      ({ last } = page);
      const { positions, after, isBehindTurn } = gapsIn(page.entries, [...(known?.lost ?? []), ...(rest.lost ?? [])]);
      gaps = after;
      compaction = page.entries.map(({ entry }) => entry).findLast((entry) => entry.type === 'compacted');
      const messages = messagesIn(page);
      for (const { id, incomplete } of messages) if (incomplete === undefined) whole.add(id);
      const calls = page.entries.flatMap(({ entry }) => (isCall(entry) ? entry : []));
      const { entries, otherCalls } = page;
      return {
        fence,
        messages,
        calls,
        questions: askedIn({ ...page, lost: positions }),
        inner: innerLogsIn(entries),
        cancelled: cancelledIn(entries),
        otherCalls,
        mayLackBeginnings: isBehindTurn,
      };
    },
    async store(messages, beginning) {
      const entries = messages.map(entryOf);
      if (beginning !== undefined) entries.push(beginning.entry);
      await append(entries, { durable: beginning?.durable ?? false });
      for (const { message } of messages) if (message.incomplete === undefined) whole.add(message.id);
    },
    note: append,
    after: async (position) => (await thread.read({ after: position })).entries,
    last: () => last,
    watch: thread.watch,
    claim: () => held,
    compaction: () => compaction,
    gaps: () => gaps,
    async leave(status) {
      isReleased = true;
      if (held === undefined) return;
      const note = noteOf(status.startsWith('needs-') ? 'run-parked' : 'run-ended', status);
      const told = isBegun && pending === 0; // otherwise there is nothing to record, or the thread does not respond
      if (told) await thread.append([note], { claim: held, release: true }).catch(() => held?.release());
      else await held.release();
    },
  };
}

/** Gaps of a thread. */
interface Gaps {
  /** Ascending. */
  readonly positions: readonly number[];
  /**
   * Ids of the last messages before the gaps. Results do not count: they follow their turn, and go with it if it is lost.
   */
  readonly after: ReadonlySet<string | undefined>;
  /** True if there is one behind the last turn. */
  readonly isBehindTurn: boolean;
}

/** `lost`: ascending positions. A copy of a message is also a gap: it has taken the place of another entry. */
function gapsIn(entries: readonly StoredEntry[], lost: readonly number[]): Gaps {
  const ids = new Set<string>();
  const positions: number[] = [];
  const after = new Set<string | undefined>();
  let before: string | undefined;
  let isBehindTurn = false;
  let next = 0;

  function note(position: number): void {
    positions.push(position);
    after.add(before);
    isBehindTurn = true;
  }

  for (const { position, entry } of entries) {
    for (; next < lost.length && (lost[next] ?? 0) <= position; next++) note(lost[next] ?? 0);
    if (entry.type !== 'message') continue;
    const { id, role } = entry.message;
    if (ids.has(id)) {
      note(position);
      continue;
    }
    ids.add(id);
    if (role !== 'tool') before = id;
    if (role === 'assistant') isBehindTurn = false;
  }
  for (const position of lost.slice(next)) note(position);
  return { positions, after, isBehindTurn };
}

function isCall(entry: StoredEntry['entry']): entry is CallEntry {
  return entry.type === 'call-begun' || entry.type === 'call-approved';
}

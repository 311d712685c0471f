import { messagesOf, openQuestions } from '@utensil/core';
import type { Message, Question, StoredEntry, Thread, ThreadOwner, ThreadPage } from '@utensil/core';
import { same } from './same.ts';

/** Required part of a thread. Without `owner` and `watch`, it is read only on demand. */
export type FollowedThread = Pick<Thread, 'read'> & Partial<Pick<Thread, 'owner' | 'watch'>>;

/** Current state of a thread. Unchanged parts keep their identity. */
export interface ThreadNews {
  /** Undefined until they have been read. The last one may be incomplete. */
  readonly messages?: readonly Message[];
  /** Another owner of the thread, such as another tab or program. */
  readonly owner?: ThreadOwner;
  /** Questions of that owner's run. */
  readonly questions: readonly Question[];
  /** Error of the last read. */
  readonly problem?: unknown;
}

/** Options of {@link followThread}. */
export interface FollowOptions {
  /** Called on each change. */
  show(news: ThreadNews): void;
  /** True while a run of this page is in progress on the thread: its events suffice, and nothing is read. */
  hasRun?(): boolean;
  /** Polling interval for the owner, in milliseconds, because a crashed one leaves no notice. Default: 2,000. */
  readonly lookEveryMs?: number;
}

/** A followed thread. */
export interface FollowingThread {
  /** Reads again, from the start if `all`. */
  again(all?: boolean): void;
  stop(): void;
}

/**
 * Follows a thread with any number of writers: its stored messages, the one in progress, and another owner until that
 * is done or gone.
 *
 * @example
 * ```ts
 * import { memoryThread } from '@utensil/core';
 * import { followThread } from '@utensil/elements/view';
 *
 * const thread = memoryThread('shared'); // or openThread(records, 'shared'), in any number of tabs
 * const following = followThread(thread, { show: ({ messages = [], owner }) => console.log(messages.length, owner) });
 * following.stop();
 * ```
 */
export function followThread(
  thread: FollowedThread,
  { show, hasRun = () => false, lookEveryMs = 2_000 }: FollowOptions,
): FollowingThread {
  const log = readLog(thread);
  let news: ThreadNews = { questions: [] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isReading, isDue, isOver] = [false, false, false];

  async function look(): Promise<ThreadNews> {
    const found = await thread.owner?.(); // first: once the owner has left, the read is complete
    const owner = found?.isSilent === true ? undefined : found;
    const messages = await log.read();
    const questions = owner === undefined ? [] : await openQuestions({ read: async () => log.page() });
    return { messages, questions: keepIdentity(news.questions, questions), ...(owner && { owner }) };
  }

  async function readAll(): Promise<void> {
    isReading = true;
    while (isDue) {
      isDue = false;
      if (hasRun()) continue;
      const next = await look().catch((problem: unknown) => ({ ...news, problem }));
      if (!isOver && !hasRun() && !same(next, news)) show((news = keptNews(news, next)));
    }
    isReading = false;
    clearTimeout(timer);
    if (!isOver && news.owner !== undefined) timer = setTimeout(again, lookEveryMs);
  }

  function again(): void {
    isDue = !isOver;
    if (!isReading) void readAll();
  }

  const leave = thread.watch?.(again);
  again();
  return {
    again(all = false) {
      if (all) log.forget();
      again();
    },
    stop() {
      isOver = true;
      isDue = false;
      clearTimeout(timer);
      leave?.();
    },
  };
}

/** Reads new entries of a thread's log. */
function readLog(thread: FollowedThread) {
  let entries: readonly StoredEntry[] = [];
  let [last, isForgotten] = [0, true];
  let draft: Message | undefined;
  let messages: readonly Message[] = [];

  /** Entries after the last known one; all if that no longer exists. */
  async function readNew(): Promise<ThreadPage> {
    if (isForgotten || last === 0) return thread.read();
    const page = await thread.read({ after: last - 1 });
    const [first, ...others] = page.entries;
    if (first?.position === last) return { ...page, entries: [...entries, ...others] };
    return thread.read();
  }

  return {
    async read() {
      const page = await readNew();
      isForgotten = false;
      ({ entries, last, draft } = { draft: undefined, ...page });
      messages = keepIdentity(messages, await messagesOf({ read: async () => page }));
      return messages;
    },
    page: (): ThreadPage => ({ entries, last, more: false, ...(draft && { draft }) }),
    forget: () => void (isForgotten = true),
  };
}

/** New items with the previous objects for unchanged ones; the previous list itself if nothing changed. */
function keepIdentity<Item extends { readonly id: string }>(
  before: readonly Item[],
  now: readonly Item[],
): readonly Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const items = now.map((item) => {
    const last = known.get(item.id);
    return last !== undefined && same(last, item) ? last : item;
  });
  return items.length === before.length && items.every((item, index) => item === before[index]) ? before : items;
}

function keptNews({ owner: before }: ThreadNews, next: ThreadNews): ThreadNews {
  return before !== undefined && next.owner !== undefined && same(before, next.owner)
    ? { ...next, owner: before }
    : next;
}

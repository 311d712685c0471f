import { messagesOf, openQuestions } from '@utensil/core';
import type { Message, Question, StoredEntry, Thread, ThreadOwner, ThreadPage } from '@utensil/core';
import { same } from './same.ts';

/** What a thread must tell to be followed. Without `owner` and `watch`, it is only read on demand. */
export type FollowedThread = Pick<Thread, 'read'> & Partial<Pick<Thread, 'owner' | 'watch'>>;

/** A thread as it is stored at the moment. What did not change is the same object. */
export interface ThreadNews {
  /** Absent until they have been read. The last one is incomplete while it is being written. */
  readonly messages?: readonly Message[];
  /** Somebody else who has the thread, such as another tab or program. */
  readonly owner?: ThreadOwner;
  /** What that one asks; of nobody else's run. */
  readonly questions: readonly Question[];
  /** Why it could not be read the last time. */
  readonly problem?: unknown;
}

/** What {@link followThread} is given beside the thread. */
export interface FollowOptions {
  /** Called with each change. */
  show(news: ThreadNews): void;
  /** Whether a run of this page is under way on the thread: its events tell all, and nothing is read. */
  hasRun?(): boolean;
  /** Milliseconds after which to look whether the owner is still there: one that ends at once says nothing. Default 2,000. */
  readonly lookEveryMs?: number;
}

/** A thread that is being followed. */
export interface FollowingThread {
  /** Reads it again, from its beginning if `all`. */
  again(all?: boolean): void;
  stop(): void;
}

/**
 * Follows a thread, whoever writes in it: its messages as they are stored, the one under way as far as it has come, and who else has
 * the thread, until that one is done or has ended.
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
    const found = await thread.owner?.(); // first: once it has left, what is read is all of it
    const owner = found?.isSilent === true ? undefined : found;
    const messages = await log.read();
    const questions = owner === undefined ? [] : await openQuestions({ read: async () => log.page() });
    return { messages, questions: kept(news.questions, questions), ...(owner && { owner }) };
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

/** The log of a thread, of which what is new is read. */
function readLog(thread: FollowedThread) {
  let entries: readonly StoredEntry[] = [];
  let [last, isForgotten] = [0, true];
  let draft: Message | undefined;
  let messages: readonly Message[] = [];

  /** What follows the entry that was the last one; all, if that one is not there any more. */
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
      messages = kept(messages, await messagesOf({ read: async () => page }));
      return messages;
    },
    page: (): ThreadPage => ({ entries, last, more: false, ...(draft && { draft }) }),
    forget: () => void (isForgotten = true),
  };
}

/** What there is now, with the objects of before for what did not change: the list itself if nothing did. */
function kept<Item extends { readonly id: string }>(before: readonly Item[], now: readonly Item[]): readonly Item[] {
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

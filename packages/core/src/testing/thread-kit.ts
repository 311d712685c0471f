import type { Message } from '../model/message.ts';
import type { StorageDriver } from '../files/storage/driver.ts';
import type { Clock } from '../thread/clock.ts';
import type { ThreadEntry } from '../thread/entry.ts';
import { messagesOf } from '../thread/messages.ts';
import type { Thread } from '../thread/thread.ts';
import { assert } from './assert.ts';

/** A clock controlled by a test. */
export interface TestClock extends Clock {
  /** Advances time by some milliseconds, and fires all timers due. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock, which may jump. */
  set(now: number): void;
}

/** An instance of a thread with its own clock, like that of another process. */
export interface OpenThread {
  readonly thread: Thread;
  readonly driver: StorageDriver;
  readonly clock: TestClock;
}

/** A test: opens the thread as often as it needs, and throws if a guarantee is broken. */
export type ThreadCase = (open: (id?: string) => Promise<OpenThread>) => Promise<void>;

/** Creates a clock that stands still until it is advanced. */
export function testClock(): TestClock {
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  let elapsed = 0;
  let offset = 1_800_000_000_000;
  return {
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    after(ms, call) {
      const timer = { at: elapsed + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async pass(ms) {
      const end = elapsed + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        elapsed = next.at;
        next.call();
        await settled();
      }
      elapsed = end;
      await settled();
    },
    set(now) {
      offset = now - elapsed;
    },
  };
}

/** Lets pending work settle, as far as it waits for storage and not for a clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** A message with this id and text. */
export function says(id: string, text = id, role: Message['role'] = 'user'): Message {
  return { id, role, parts: [{ type: 'text', text }], createdAt: 0 };
}

/** Entries of messages with these ids. */
export function entriesOf(...ids: readonly string[]): readonly ThreadEntry[] {
  return ids.map((id) => ({ type: 'message', message: says(id) }));
}

/** Ids of the messages of a thread. */
export async function idsIn({ thread }: OpenThread): Promise<readonly string[]> {
  return (await messagesOf(thread)).map(({ id }) => id);
}

/** Code of the error that work throws; undefined if it throws none. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    assert(error instanceof Error && 'code' in error, `it threw ${String(error)}, which has no code`);
    return String(error.code);
  }
}

/** Values sorted, so that the order does not depend on timing. */
export function sorted(values: readonly unknown[]): readonly string[] {
  return values.map(String).sort((one, other) => (one < other ? -1 : Number(one > other)));
}

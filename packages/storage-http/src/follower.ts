import { isObject } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { EntryKey } from '@utensil/core/storage';
import type { Connection } from './connection.ts';
import { isKey, roots } from './protocol.ts';

/** Reports changes on the server while there are listeners. */
export interface Follower {
  subscribe(listener: (changed: readonly EntryKey[]) => void): () => void;
  /** Resolves once the server reports all further changes, or cannot. */
  settled(): Promise<void>;
  close(): void;
}

/** Maximum length of a line; a longer one violates the protocol. */
const maxLine = 4 * 1024 * 1024;

/** Timeout until the server has announced its heartbeat interval. */
const initialTimeoutMs = 10_000;

const longestPauseMs = 30_000;

/**
 * Follows one stream for all listeners. Whenever it is opened, also after a loss, it reports the roots of both trees,
 * because changes may have been missed.
 */
export function createFollower({ follow }: Pick<Connection, 'follow'>): Follower {
  const listeners = createListeners<readonly EntryKey[]>();
  let count = 0;
  let running: AbortController | undefined;
  let settled = Promise.resolve();

  function start(): void {
    const stop = new AbortController();
    running = stop;
    settled = new Promise((resolve) => void keepFollowing(stop.signal, resolve));
  }

  async function keepFollowing(stop: AbortSignal, settle: () => void): Promise<void> {
    for (let failures = 0; !stop.aborted; failures++) {
      await followOnce(stop, () => {
        failures = 0;
        listeners.notify(roots);
        settle();
      });
      settle();
      if (!stop.aborted) await pauseBefore(failures, stop);
    }
  }

  /** Follows one stream until it ends. Never throws. */
  async function followOnce(stop: AbortSignal, onOpen: () => void): Promise<void> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    stop.addEventListener('abort', abort, { once: true });
    let patienceMs = initialTimeoutMs;
    let timer = setTimeout(abort, patienceMs);
    try {
      const stream = await follow(controller.signal);
      if (stream === undefined) return;
      for await (const line of linesOf(stream)) {
        if (stop.aborted) return;
        const news = newsIn(line);
        if (news === undefined) return;
        if (news.type === 'open') {
          patienceMs = 3 * news.heartbeatMs;
          onOpen();
        } else if (news.type === 'changed' && news.keys.length > 0) listeners.notify(news.keys);
        clearTimeout(timer);
        timer = setTimeout(abort, patienceMs);
      }
    } catch {
      // a broken stream is followed again
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
      abort();
    }
  }

  return {
    subscribe(listener) {
      const end = listeners.subscribe(listener);
      if (++count === 1) start();
      let isOver = false;
      return () => {
        end();
        if (isOver) return;
        isOver = true;
        if (--count === 0) running?.abort();
      };
    },
    settled: () => settled,
    close: () => running?.abort(),
  };
}

type Known =
  | { readonly type: 'open'; readonly heartbeatMs: number }
  | { readonly type: 'changed'; readonly keys: readonly EntryKey[] }
  | { readonly type: 'other' };

/** Parses a line; undefined if it violates the protocol. */
function newsIn(line: string): Known | undefined {
  const value = parse(line);
  if (!isObject(value)) return undefined;
  const { type, heartbeatMs, keys } = value;
  if (type === 'open' && typeof heartbeatMs === 'number') {
    return { type, heartbeatMs: Math.min(Math.max(heartbeatMs, 100), 600_000) };
  }
  if (type === 'changed' && Array.isArray(keys)) {
    return { type, keys: keys.filter(isKey).map(({ tree, path }) => ({ tree, path })) };
  }
  return { type: 'other' };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let open = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (open + decoder.decode(value, { stream: true })).split('\n');
      open = lines.pop() ?? '';
      if (open.length > maxLine) return;
      yield* lines;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Exponential backoff with jitter, so that clients do not reconnect together. */
function pauseBefore(failures: number, stop: AbortSignal): Promise<void> {
  const milliseconds = Math.min(100 * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stopped = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stop.addEventListener('abort', stopped, { once: true });
  });
}

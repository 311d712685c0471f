import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { roots } from './protocol.ts';
import type { News } from './protocol.ts';

/** How long a stream of news goes on, and for whom. */
export interface AnnounceOptions {
  readonly heartbeatMs: number;
  readonly maxWatchMs: number;
  /** True if somebody may know of this key. */
  readonly isVisible: (key: EntryKey) => boolean;
  /** What ends it early. */
  readonly signals: readonly AbortSignal[];
  onEnd(): void;
}

/** Who has so much to read is told that anything may have changed. */
const maxWaiting = 1000;

/** Who reads nothing for so many heartbeats is gone. */
const maxSilentBeats = 8;

/** Lines of JSON about what changes from now on. What is not read yet is kept together, and never more than a little. */
export function announce(driver: StorageDriver, options: AnnounceOptions): ReadableStream<Uint8Array> {
  const { heartbeatMs, isVisible } = options;
  const visibleRoots = roots.filter(isVisible);
  const encoder = new TextEncoder();
  let waiting: readonly EntryKey[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWanted = false;
  let silentBeats = 0;
  let isOver = false;

  function send(news: News): void {
    isWanted = false;
    silentBeats = 0;
    controller?.enqueue(encoder.encode(`${JSON.stringify(news)}\n`));
  }

  function sendWaiting(): void {
    const keys = waiting;
    if (!isWanted || keys.length === 0) return;
    waiting = [];
    send({ type: 'changed', keys });
  }

  function beat(): void {
    if (isWanted) send({ type: 'alive' });
    else if (++silentBeats > maxSilentBeats) end();
  }

  const leave = driver.watch((changed) => {
    const visible = changed.filter(isVisible).map(({ tree, path }) => ({ tree, path }));
    const isTooMuch = waiting === visibleRoots || waiting.length + visible.length > maxWaiting;
    waiting = isTooMuch ? visibleRoots : [...waiting, ...visible];
    sendWaiting();
  });
  const beating = setInterval(beat, heartbeatMs);
  const ending = setTimeout(end, options.maxWatchMs);
  for (const signal of options.signals) {
    if (signal.aborted) queueMicrotask(end);
    signal.addEventListener('abort', end, { once: true });
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    leave();
    clearInterval(beating);
    clearTimeout(ending);
    for (const signal of options.signals) signal.removeEventListener('abort', end);
    controller?.close();
    options.onEnd();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        given.enqueue(encoder.encode(`${JSON.stringify({ type: 'open', heartbeatMs })}\n`));
      },
      pull() {
        isWanted = true;
        sendWaiting();
      },
      cancel() {
        controller = undefined;
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { roots } from './protocol.ts';
import type { News } from './protocol.ts';

/** Duration and audience of a stream of changes. */
export interface AnnounceOptions {
  readonly heartbeatMs: number;
  readonly maxWatchMs: number;
  /** True if the client may see this key. */
  readonly isVisible: (key: EntryKey) => boolean;
  /** Signals that end the stream early. */
  readonly signals: readonly AbortSignal[];
  onEnd(): void;
}

/** A client with more pending changes than this is told only that anything may have changed. */
const maxWaiting = 1000;

/** A client that reads nothing for this many heartbeats is disconnected. */
const maxSilentBeats = 8;

/** Streams changes from now on as lines of JSON. Pending changes are merged and bounded. */
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

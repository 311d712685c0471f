import type { FromWorker, ToWorker, WorkerFailure } from './protocol.ts';
import type { StartThread, Thread } from './thread.ts';

/** Result of reading a document, complete or not. */
export interface Reading {
  /** Pages that the document says it has; undefined if it could not be opened. */
  readonly pages: number | undefined;
  readonly texts: readonly string[];
  /** Reason for its end. `absent`: the worker did not start. `died`: it ended before it was done. */
  readonly ending: 'end' | 'time' | 'absent' | 'died' | WorkerFailure;
}

export interface ReadingOptions extends ToWorker {
  readonly start: StartThread;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** In milliseconds. A worker that takes longer to load its program is not going to start. */
const startMs = 30_000;

/** In milliseconds. Platforms fire a longer timer at once. */
const longestTimer = 2 ** 31 - 1;

/** Reads a document in a new worker, which has ended when this settles. Rejects only with the reason of the signal. */
export function readWith({ start, bytes, limits, timeoutMs, signal }: ReadingOptions): Promise<Reading> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let thread: Thread | undefined;
    let pages: number | undefined;
    let isOver = false;
    const texts: string[] = [];
    const settle = (give: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      thread?.end();
      give();
    };
    const end = (ending: Reading['ending']): void => settle(() => resolve({ pages, texts, ending }));
    const abort = (): void => settle(() => reject(signal?.reason as Error));
    const handlers: { readonly [Type in FromWorker['type']]: (message: FromWorker & { readonly type: Type }) => void } =
      {
        ready() {
          isReady = true;
          clearTimeout(timer);
          timer = setTimeout(() => end('time'), Math.min(timeoutMs, longestTimer));
          thread?.post({ bytes, limits });
        },
        opened: (message) => (pages = message.pages),
        page: ({ text }) => texts.push(text),
        end: () => end('end'),
        failed: ({ reason }) => end(reason),
      };
    let isReady = false;
    let timer = setTimeout(() => end('absent'), startMs);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      thread = start({
        // The parser sends messages of its own.
        message(message) {
          if (Object.hasOwn(handlers, message.type)) (handlers[message.type] as (message: FromWorker) => void)(message);
        },
        ended: () => end(isReady ? 'died' : 'absent'),
      });
      if (isOver) thread.end();
    } catch {
      end('absent');
    }
  });
}

import { messageOf } from '../base/errors.ts';
import { createAdmission } from './admission.ts';
import type { MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';

/** The registry, as a source that is kept listed sees it. */
export interface ListingTarget {
  put(tools: readonly Tool[]): void;
  /** Fires when the source is unmounted. */
  readonly signal: AbortSignal;
}

/** A source that is kept listed. */
export interface Listing {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Between two lists, in milliseconds: however often a source tells of changes, it is listed no more often. */
const restMs = 250;

/** Lists a source now and after each change, one list at a time. */
export function keepListed(source: ToolSource, options: MountOptions, { put, signal }: ListingTarget): Listing {
  const { timeoutMs = 30_000 } = options;
  const admit = createAdmission(options);
  let tools: readonly Tool[] = [];
  let isStale = true;
  let wake: (() => void) | undefined;
  let unsubscribe: (() => void) | undefined;

  function tell(problem: string): void {
    try {
      options.onProblem?.(problem);
    } catch (error) {
      queueMicrotask(() => {
        throw error; // the app's own: it must not end the listing
      });
    }
  }

  function onChange(): void {
    isStale = true;
    wake?.();
  }

  async function list(): Promise<void> {
    isStale = false;
    try {
      const listed = await within(timeoutMs, signal, (each) => source.list({ signal: each }));
      if (signal.aborted) return;
      if (!Array.isArray(listed)) throw new Error('its list is no array');
      const admitted = admit(listed);
      if (admitted.problem !== undefined) tell(admitted.problem);
      if (isSame(admitted.tools, tools)) return;
      tools = admitted.tools;
      put(tools);
    } catch (error) {
      if (!signal.aborted) tell(`The tools of "${options.namespace}" could not be listed: ${messageOf(error)}`);
    }
  }

  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      await pause(restMs, signal);
      if (!isStale && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      if (!signal.aborted) await list();
    }
  }

  signal.addEventListener('abort', () => wake?.(), { once: true });
  try {
    if (!signal.aborted) unsubscribe = source.subscribe?.(onChange);
  } catch (error) {
    tell(`Changes of the tools of "${options.namespace}" are not told: ${messageOf(error)}`);
  }
  const ready = signal.aborted ? Promise.resolve() : list();
  void ready.then(goOn);

  return {
    ready,
    async close() {
      try {
        unsubscribe?.();
      } finally {
        await within(timeoutMs, undefined, () => source.close?.()).catch(() => undefined); // it is gone, whatever it says
      }
    },
  };
}

function isSame(some: readonly Tool[], others: readonly Tool[]): boolean {
  return some.length === others.length && some.every((tool, index) => tool === others[index]);
}

/** Work of a stranger's: it may throw, and it may never end. */
async function within<Value>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  const over = new AbortController();
  const onAbort = (): void => over.abort(signal?.reason);
  const timer = setTimeout(() => over.abort(new Error(`there was no answer in ${ms / 1000} seconds`)), ms);
  signal?.addEventListener('abort', onAbort, { once: true });
  const gone = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([(async () => work(over.signal))(), gone]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

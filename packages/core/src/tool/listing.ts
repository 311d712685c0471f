import { messageOf } from '../base/errors.ts';
import { createAdmission } from './admit-source-tools.ts';
import type { MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';

/** The registry as seen by a mounted source. */
export interface ListingTarget {
  put(tools: readonly Tool[]): void;
  /** Fires when the source is unmounted. */
  readonly signal: AbortSignal;
}

/** A mounted source that is listed repeatedly. */
export interface Listing {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Minimum interval between listings, in milliseconds, however often a source reports changes. */
const restMs = 250;

/** Lists a source now and after each change, one listing at a time. */
export function keepListed(source: ToolSource, options: MountOptions, { put, signal }: ListingTarget): Listing {
  const { timeoutMs = 30_000 } = options;
  const admit = createAdmission(options, source);
  let tools: readonly Tool[] = [];
  let isStale = true;
  let wake: (() => void) | undefined;
  let unsubscribe: (() => void) | undefined;

  function tell(problem: string): void {
    try {
      options.onProblem?.(problem);
    } catch (error) {
      queueMicrotask(() => {
        throw error; // app code: must not end the listing
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
      if (!Array.isArray(listed)) throw new Error('its list is not an array');
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
        await within(timeoutMs, undefined, () => source.close?.()).catch(() => undefined); // unmounted, whatever it still reports
      }
    },
  };
}

function isSame(some: readonly Tool[], others: readonly Tool[]): boolean {
  return some.length === others.length && some.every((tool, index) => tool === others[index]);
}

/** Runs untrusted work, which may throw or never end. */
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

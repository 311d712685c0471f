import type { EngineName, InstanceSize } from '../engine/engine.ts';
import type { ToWorker } from '../worker/protocol.ts';
import { withinTime } from './within-time.ts';
import type { SpawnThread, Thread, ThreadListener } from './thread.ts';

/** Workers with a loaded engine. One is kept ready, so that a run need not wait for a start. */
export interface Pool {
  /**
   * Takes a worker. Throws if the maximum number of scripts are all waiting, perhaps for this one. Rejects once the
   * signal aborts.
   */
  take(options?: TakeOptions): Promise<Thread>;
  /** Reports whether a running script waits for the host; its worker does not count while it does. */
  lend(isWaiting: boolean): void;
  /** Returns a reusable worker. */
  give(thread: Thread): void;
  /** Terminates a worker. */
  drop(thread: Thread): void;
  close(): void;
}

/** Options of {@link Pool.take}. */
export interface TakeOptions {
  readonly signal?: AbortSignal;
  /** Time limit for a worker to start once there is a place, in milliseconds. Default: the pool's. */
  readonly startMs?: number;
  /** Called once there is a place: the script's time starts here. */
  placed?(): void;
}

/** Options of {@link createPool}. */
export interface PoolOptions {
  readonly spawn: SpawnThread;
  readonly engine: EngineName;
  readonly wasm: () => Promise<WebAssembly.Module>;
  /** Instance size that most scripts need. */
  readonly size: InstanceSize;
  /** Maximum number of running workers; further scripts wait. */
  readonly most: number;
  /** Additional workers allowed while scripts wait for the host. */
  readonly mostWaiting: number;
  /** Time limit for a worker to start, in milliseconds. */
  readonly startMs: number;
  /** Idle time after which a worker is terminated, in milliseconds. */
  readonly idleMs: number;
  /**
   * Delay before a standby worker is started next to a running one, in milliseconds, so that a script which kills its
   * worker delays nobody. Most scripts end sooner, and the first has the machine to itself. Absent: no standby.
   */
  readonly standbyMs?: number;
}

/** The most recently used worker, and the standby. */
const mostReady = 2;

const silence: ThreadListener = { message: () => undefined, died: () => undefined };

export function createPool(options: PoolOptions): Pool {
  const { spawn, engine, wasm, size, most, mostWaiting, startMs, idleMs, standbyMs } = options;
  const ready: Thread[] = [];
  let warming: Promise<void> | undefined;
  let standby: Timer | undefined;
  let idle: Timer | undefined;
  let isClosed = false;
  let busy = 0;
  /** Busy workers whose scripts are waiting. */
  let waiting = 0;
  const queue: { begin(): void; refuse(error: Error): void }[] = [];

  const isFull = (): boolean => busy >= most + mostWaiting;
  const hasPlace = (): boolean => busy - waiting < most && !isFull();
  /** True if no running script can free a place. */
  const isStuck = (): boolean => busy === waiting && isFull();

  async function start(): Promise<Thread> {
    const thread = await spawn(); // starts while the WebAssembly is compiled
    try {
      await withinTime(load(thread), startMs);
    } catch (error) {
      thread.terminate();
      throw error;
    }
    thread.listen(silence);
    return thread;
  }

  async function load(thread: Thread): Promise<void> {
    const module = await wasm();
    const { mailbox } = thread;
    const message: ToWorker = { type: 'load', engine, wasm: module, size, ...(mailbox && { mailbox }) };
    await loaded(thread, () => thread.post(message));
  }

  function standBy(): void {
    if (standbyMs !== undefined) standby ??= later(warm, standbyMs);
  }

  /** Starts the next worker ahead of time. A failure is reported by the run that needs it. */
  function warm(): void {
    clearTimeout(standby);
    standby = undefined;
    if (isClosed || standbyMs === undefined || ready.length > 0 || warming !== undefined) return;
    warming = start()
      .then(keep, () => undefined)
      .finally(() => (warming = undefined));
  }

  function keep(thread: Thread): void {
    if (isClosed || ready.length >= mostReady) {
      thread.terminate();
      return;
    }
    thread.hold(false);
    thread.listen({ ...silence, died: () => remove(ready, thread) });
    ready.push(thread);
    rest();
  }

  function rest(): void {
    clearTimeout(idle);
    idle = later(clear, idleMs);
  }

  function clear(): void {
    clearTimeout(idle);
    for (const thread of ready.splice(0)) thread.terminate();
  }

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    if (isStuck()) throw stuck(busy);
    if (hasPlace()) busy++;
    else await queued(signal);
  }

  function queued(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((begin, refuse) => {
      const place = { begin, refuse };
      queue.push(place);
      signal?.addEventListener('abort', () => {
        remove(queue, place);
        refuse(signal.reason);
      });
    });
  }

  /** Hands free places to waiters. */
  function advance(): void {
    for (; queue.length > 0 && hasPlace(); busy++) queue.shift()?.begin();
    if (isStuck()) for (const { refuse } of queue.splice(0)) refuse(stuck(busy));
  }

  function leave(): void {
    busy--;
    advance();
  }

  async function next(): Promise<Thread> {
    if (ready.length === 0 && warming !== undefined) await warming;
    return ready.pop() ?? start();
  }

  return {
    async take({ signal, startMs: mostMs = startMs, placed } = {}) {
      signal?.throwIfAborted();
      await turn(signal);
      placed?.();
      const started = next();
      try {
        const thread = await withinTime(started, mostMs, signal);
        thread.listen(silence);
        thread.hold(true);
        standBy();
        return thread;
      } catch (error) {
        leave();
        started.then(keep, () => undefined); // a late worker serves the next script
        throw error;
      }
    },
    lend(isWaiting) {
      waiting += isWaiting ? 1 : -1;
      if (isWaiting) advance();
    },
    give(thread) {
      leave();
      keep(thread);
    },
    drop(thread) {
      leave();
      thread.terminate();
      warm();
    },
    close() {
      isClosed = true;
      clearTimeout(standby);
      clear();
    },
  };
}

function remove<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

type Timer = ReturnType<typeof setTimeout>;

/** Runs work later without keeping the process alive. */
function later(work: () => void, ms: number): Timer {
  const timer = setTimeout(work, ms);
  if (typeof timer === 'object' && 'unref' in timer) timer.unref();
  return timer;
}

function stuck(count: number): Error {
  return new Error(
    `${count} scripts wait for their host functions, perhaps for this script: run fewer in parallel, or allow more with maxWaiting`,
  );
}

function loaded(thread: Thread, load: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.listen({
      message: (message) =>
        message.type === 'ready' ? resolve() : reject(new Error('its engine could not be loaded')),
      died: (reason) => reject(new Error(reason)),
    });
    load();
  });
}

import type { EngineName, InstanceSize } from '../engine/engine.ts';
import type { ToWorker } from '../worker/protocol.ts';
import { soon } from './soon.ts';
import type { SpawnThread, Thread, ThreadListener } from './thread.ts';

/** Workers that have loaded the engine. One is kept ready, so that a run need not wait for one to start. */
export interface Pool {
  /** Throws where all that run wait, and are as many as may: perhaps for this one. Rejects as soon as the signal aborts. */
  take(options?: TakeOptions): Promise<Thread>;
  /** Whether the script on one of its workers waits for the host: meanwhile, that worker is not counted. */
  lend(isWaiting: boolean): void;
  /** Gives a worker back that can be used again. */
  give(thread: Thread): void;
  /** Ends a worker that cannot. */
  drop(thread: Thread): void;
  close(): void;
}

/** Options of {@link Pool.take}. */
export interface TakeOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds that a worker may take to start, once there is a place. Default: the pool's. */
  readonly startMs?: number;
  /** Called when there is a place: from here on the time of the script runs. */
  placed?(): void;
}

/** What a pool is made of. */
export interface PoolOptions {
  readonly spawn: SpawnThread;
  readonly engine: EngineName;
  readonly wasm: () => Promise<WebAssembly.Module>;
  /** What most scripts ask for. */
  readonly size: InstanceSize;
  /** Workers that run at a time; who comes after waits. */
  readonly most: number;
  /** Workers beyond those, while scripts wait for the host. */
  readonly mostWaiting: number;
  /** Milliseconds that a worker may take to start. */
  readonly startMs: number;
  /** Milliseconds after which a worker that nobody needed ends. */
  readonly idleMs: number;
  /**
   * Milliseconds after which another one is started beside the one at work, so that a script which ends its worker makes
   * nobody wait. Most scripts are over by then, and the first has the machine to itself. Absent: none is.
   */
  readonly standbyMs?: number;
}

/** The one that was used last, and the one that stands by. */
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
  /** Of those, the ones whose scripts wait. */
  let waiting = 0;
  const queue: { begin(): void; refuse(error: Error): void }[] = [];

  const isFull = (): boolean => busy >= most + mostWaiting;
  const hasPlace = (): boolean => busy - waiting < most && !isFull();
  /** Nobody is at work who could make place. */
  const isStuck = (): boolean => busy === waiting && isFull();

  async function start(): Promise<Thread> {
    const thread = await spawn(); // which starts while the WebAssembly is compiled
    try {
      await soon(load(thread), startMs);
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

  /** Starts the next one beforehand. Where that fails, the run that needs it says so. */
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
    thread.listen({ ...silence, died: () => forget(thread) });
    ready.push(thread);
    rest();
  }

  function forget(thread: Thread): void {
    const index = ready.indexOf(thread);
    if (index >= 0) ready.splice(index, 1);
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
        const index = queue.indexOf(place);
        if (index >= 0) queue.splice(index, 1);
        refuse(signal.reason);
      });
    });
  }

  /** The turn goes to those who wait for one, as far as there is place. */
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
        const thread = await soon(started, mostMs, signal);
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

type Timer = ReturnType<typeof setTimeout>;

/** Does it then, if the process is still there for something else. */
function later(work: () => void, ms: number): Timer {
  const timer = setTimeout(work, ms);
  if (typeof timer === 'object' && 'unref' in timer) timer.unref();
  return timer;
}

function stuck(count: number): Error {
  return new Error(
    `${count} scripts wait for what they have called, perhaps for this one: let fewer run at a time, or allow more with maxWaiting`,
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

import type { RunEvent, RunEventBody } from './events.ts';

/** Events that can be read from any point, by any number of readers, while they come. */
export interface EventLog {
  emit(body: RunEventBody): void;
  /** The events from `from` (a `seq`) on, until the log is closed. */
  read(from?: number): AsyncIterable<RunEvent>;
  close(): void;
}

/** An event log in memory. */
export function createEventLog(runId: string, now: () => number): EventLog {
  const events: RunEvent[] = [];
  let closed = false;
  let wake: (() => void) | undefined;
  let more: Promise<void> | undefined;

  function notify(): void {
    wake?.();
    wake = more = undefined;
  }

  /** An iterator by hand: a generator's takes several times the memory, for each event and each reader. */
  function iterate(from: number): AsyncIterator<RunEvent> {
    let index = Math.max(0, Math.trunc(from) || 0);
    async function next(): Promise<IteratorResult<RunEvent>> {
      while (index >= events.length) {
        if (closed) return { done: true, value: undefined };
        await (more ??= new Promise((resolve) => (wake = resolve)));
      }
      return { done: false, value: events[index++] as RunEvent };
    }
    return { next };
  }

  return {
    emit(body) {
      if (closed) return;
      events.push({ ...body, runId, seq: events.length, time: now() });
      notify();
    },
    read: (from = 0) => ({ [Symbol.asyncIterator]: () => iterate(from) }),
    close() {
      closed = true;
      notify();
    },
  };
}

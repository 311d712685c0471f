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

  return {
    emit(body) {
      if (closed) return;
      events.push({ ...body, runId, seq: events.length, time: now() });
      notify();
    },
    async *read(from = 0) {
      for (let index = from; ; index++) {
        while (index >= events.length) {
          if (closed) return;
          await (more ??= new Promise((resolve) => (wake = resolve)));
        }
        yield events[index] as RunEvent;
      }
    },
    close() {
      closed = true;
      notify();
    },
  };
}

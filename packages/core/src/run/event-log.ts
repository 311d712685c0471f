import type { RunEvent, RunEventBody } from '../tool/run-event.ts';

/** Events that can be read from any point, by any number of readers, while they come. */
export interface EventLog {
  emit(body: RunEventBody): void;
  /** The events from `from` (a `seq`) on, until the log is closed. */
  read(from?: number): AsyncIterable<RunEvent>;
  close(): void;
}

/** An event log in memory. An event gets its envelope when it is read. */
export function createEventLog(runId: string, now: () => number): EventLog {
  const bodies: RunEventBody[] = [];
  const times: number[] = [];
  const waiting: (() => void)[] = [];
  let closed = false;

  function wake(): void {
    for (const each of waiting.splice(0)) each();
  }

  /** An iterator by hand: a generator's takes several times the memory, and lets its reader wait for longer. */
  function iterate(from: number): AsyncIterator<RunEvent> {
    let seq = Math.max(0, Math.trunc(from) || 0);
    const next = (): Promise<IteratorResult<RunEvent>> =>
      new Promise((resolve) => {
        function deliver(): void {
          const body = bodies[seq];
          if (body !== undefined)
            resolve({ done: false, value: { ...body, runId, seq, time: times[seq++] as number } });
          else if (closed) resolve({ done: true, value: undefined });
          else waiting.push(deliver);
        }
        deliver();
      });
    return { next };
  }

  return {
    emit(body) {
      if (closed) return;
      bodies.push(body);
      times.push(now());
      wake();
    },
    read: (from = 0) => ({ [Symbol.asyncIterator]: () => iterate(from) }),
    close() {
      closed = true;
      wake();
    },
  };
}

import type { RunEvent, RunEventBody } from '../tool/run-event.ts';

/** Events that can be read from any point, by any number of readers, while they come. */
export interface EventLog {
  /** The run of the events. */
  readonly runId: string;
  /** Begins: with the first event. A run that goes on has the id that it had, and a larger fence. */
  begin(place: { readonly runId?: string; readonly fence?: number }): void;
  emit(body: RunEventBody): void;
  /** The events from `from` (a `seq`) on, until the log is closed. */
  read(from?: number): AsyncIterable<RunEvent>;
  close(): void;
}

/** Events and their times. Paged, because a growing array is copied repeatedly. */
interface Page {
  readonly bodies: RunEventBody[];
  readonly times: number[];
}

/** An empty array grows once, for up to 17 elements. */
const pageLength = 16;

/** An event log in memory. An event gets its envelope when it is read. */
export function createEventLog(id: string, now: () => number): EventLog {
  const pages: Page[] = [];
  let count = 0;
  const waiting: (() => void)[] = [];
  let place: { readonly fence?: number } = {};
  let closed = false;

  function wake(): void {
    if (waiting.length === 0) return;
    for (const each of waiting.splice(0)) each();
  }

  /** An iterator by hand: a generator's takes several times the memory, and lets its reader wait for longer. */
  function iterate(from: number): AsyncIterator<RunEvent> {
    let seq = Math.max(0, Math.trunc(from) || 0);
    const next = (): Promise<IteratorResult<RunEvent>> =>
      new Promise((resolve) => {
        function deliver(): void {
          if (seq < count) {
            const { bodies, times } = pages[Math.floor(seq / pageLength)] as Page;
            const body = bodies[seq % pageLength] as RunEventBody;
            const time = times[seq % pageLength] as number;
            resolve({ done: false, value: { ...body, runId: log.runId, ...place, seq: seq++, time } });
          } else if (closed) resolve({ done: true, value: undefined });
          else waiting.push(deliver);
        }
        deliver();
      });
    return { next };
  }

  function emit(body: RunEventBody): void {
    if (closed) return;
    const time = now();
    if (count++ % pageLength === 0) pages.push({ bodies: [], times: [] });
    const page = pages.at(-1) as Page;
    page.bodies.push(body);
    page.times.push(time);
    wake();
  }

  const log: Omit<EventLog, 'runId'> & { runId: string } = {
    runId: id, // not a getter, with which V8 stores the whole object as a dictionary
    begin(given) {
      if (count > 0) return;
      log.runId = given.runId ?? log.runId;
      if (given.fence !== undefined) place = { fence: given.fence };
      emit({ type: 'run-start' });
    },
    emit,
    read: (from = 0) => ({ [Symbol.asyncIterator]: () => iterate(from) }),
    close() {
      closed = true;
      wake();
    },
  };
  return log;
}

import type { InnerResultEntry } from '../../thread/entry.ts';
import { afterTimeout } from '../../base/pauses.ts';

/** Maximum time in milliseconds that a replay waits for an inner call. */
const patienceMs = 2_000;

/** Logged results of inner calls, returned again while the tool is replayed. */
export interface Replay {
  /** Fires if the tool diverges from the log. */
  readonly diverged: AbortSignal;
  /** Ids of the logged calls. */
  readonly ids: ReadonlySet<string>;
  /**
   * Logged result of a call, once all results before it are taken: the tool gets results in their original order.
   * Undefined if the call is not logged.
   */
  take(call: AskedCall): Promise<InnerResultEntry> | undefined;
  /** An inner run begins again. `isKept`: its thread has its earlier work. */
  takeRun(runId: string, isKept: boolean): void;
  /** Waits until every logged effect is taken. False if the tool does not repeat those calls. */
  caughtUp(): Promise<boolean>;
  /** Ends the replay, and returns whether the tool repeated everything. */
  end(): boolean;
}

/** An inner call by the replayed tool. */
export interface AskedCall {
  /** Its id if the tool repeats its calls in the same order. */
  readonly callId: string;
  readonly name: string;
  readonly inputHash: string;
}

/** `runs`: inner runs that may have changed something. */
export function createReplay(log: readonly InnerResultEntry[], runs: ReadonlySet<string> = new Set()): Replay {
  const divergence = new AbortController();
  const unasked = byContent(log);
  const undelivered = new Set(log);
  const unbegun = new Set(runs);
  const due = new Map<InnerResultEntry, (entry: InnerResultEntry) => void>(); // results that calls wait for
  const effects: ((isCaughtUp: boolean) => void)[] = [];
  let effectsLeft = log.filter(({ isEffect }) => isEffect).length;
  let forget: () => void = () => undefined;
  let isOver = false;

  /**
   * Prefers the entry at the same position, else the first with the same content: results may have changed the order.
   */
  function takeOut({ callId, name, inputHash }: AskedCall): InnerResultEntry | undefined {
    const same = unasked.get(contentOf(name, inputHash));
    const entry = same?.get(callId) ?? same?.values().next().value;
    if (entry !== undefined) same?.delete(entry.result.callId);
    return entry;
  }

  function deliver(entry: InnerResultEntry): void {
    const give = due.get(entry);
    due.delete(entry);
    undelivered.delete(entry);
    if (entry.isEffect) effectsLeft--;
    give?.(entry);
  }

  const isCaughtUp = (): boolean => unbegun.size === 0 && effectsLeft === 0;

  function settle(isDone: boolean): void {
    for (const each of effects.splice(0)) each(isDone);
  }

  function advance(): void {
    forget();
    if (isOver) return;
    for (const entry of undelivered) {
      if (!due.has(entry)) break;
      deliver(entry);
    }
    if (isCaughtUp()) settle(true);
    if (due.size > 0 || effects.length > 0) forget = afterTimeout(patienceMs, giveIn);
  }

  /** An awaited call does not come: the next result is delivered without it, and effects are not allowed without it. */
  function giveIn(): void {
    const next = [...undelivered].find((entry) => due.has(entry));
    if (next === undefined) return diverge();
    deliver(next);
    advance();
  }

  function diverge(): void {
    divergence.abort(new Error('The tool did not make the calls that it had made before.'));
    forget();
    settle(false);
  }

  return {
    diverged: divergence.signal,
    ids: new Set(log.map(({ result }) => result.callId)),
    take(call) {
      const entry = takeOut(call);
      if (entry === undefined) return undefined;
      return new Promise((resolve) => {
        due.set(entry, resolve);
        void Promise.resolve().then(advance); // after the caller waits, so that earlier waiters stay ahead
      });
    },
    takeRun(runId, isKept) {
      if (runs.has(runId) && !isKept) return diverge();
      unbegun.delete(runId);
      advance();
    },
    async caughtUp() {
      if (divergence.signal.aborted || isCaughtUp()) return !divergence.signal.aborted;
      return new Promise((resolve) => {
        effects.push(resolve);
        advance();
      });
    },
    end() {
      isOver = true;
      if (!isCaughtUp()) diverge();
      forget();
      return !divergence.signal.aborted;
    },
  };
}

/** Results by name and input, then by call: a script may have made very many. */
function byContent(log: readonly InnerResultEntry[]): ReadonlyMap<string, Map<string, InnerResultEntry>> {
  const contents = new Map<string, Map<string, InnerResultEntry>>();
  for (const entry of log) {
    const content = contentOf(entry.result.name, entry.inputHash);
    const same = contents.get(content) ?? new Map<string, InnerResultEntry>();
    contents.set(content, same.set(entry.result.callId, entry));
  }
  return contents;
}

function contentOf(name: string, inputHash: string): string {
  return `${inputHash} ${name}`;
}

import type { InnerResultEntry } from '../thread/entry.ts';
import { platformClock } from '../thread/clock.ts';

/** Milliseconds that a replay waits for an inner call that has not come yet. */
const patienceMs = 2_000;

/** Results that the inner calls of a call had before an interruption, and have again as its tool makes them once more. */
export interface Replay {
  /** Fires if the tool does something else than before. */
  readonly diverged: AbortSignal;
  /** Ids of the logged calls. */
  readonly ids: ReadonlySet<string>;
  /**
   * The logged result of a call, once all those before it in the log are taken: the tool gets results in the order in which
   * it got them first. Undefined if the call is not in the log.
   */
  take(call: AskedCall): Promise<InnerResultEntry> | undefined;
  /** A run inside begins again. `isKept`: its thread has what it did before. */
  takeRun(runId: string, isKept: boolean): void;
  /** Waits until every logged effect is taken. False if the tool does not make those calls. */
  caughtUp(): Promise<boolean>;
  /** Ends the replay, and returns whether the tool did everything that it did before. */
  end(): boolean;
}

/** An inner call, as the tool makes it. */
export interface AskedCall {
  /** As it would be if the tool makes its calls in the same order. */
  readonly callId: string;
  readonly name: string;
  readonly inputHash: string;
}

/** A logged result that a call waits for. */
interface Due {
  readonly entry: InnerResultEntry;
  deliver(entry: InnerResultEntry): void;
}

/** `runs`: those inside that may have changed something. */
export function createReplay(log: readonly InnerResultEntry[], runs: ReadonlySet<string> = new Set()): Replay {
  const divergence = new AbortController();
  const unasked = byContent(log);
  const undelivered = new Set(log);
  const unbegun = new Set(runs);
  const due = new Map<InnerResultEntry, Due>();
  const effects: ((isCaughtUp: boolean) => void)[] = [];
  let effectsLeft = log.filter(({ isEffect }) => isEffect).length;
  let forget: () => void = () => undefined;
  let isOver = false;

  /** The one at the same place in the order of calls, else the first of the same content: results may have changed that order. */
  function takeOut({ callId, name, inputHash }: AskedCall): InnerResultEntry | undefined {
    const same = unasked.get(contentOf(name, inputHash));
    const entry = same?.get(callId) ?? same?.values().next().value;
    if (entry !== undefined) same?.delete(entry.result.callId);
    return entry;
  }

  function deliver({ entry, deliver: give }: Due): void {
    due.delete(entry);
    undelivered.delete(entry);
    if (entry.isEffect) effectsLeft--;
    give(entry);
  }

  const isCaughtUp = (): boolean => unbegun.size === 0 && effectsLeft === 0;

  function settle(isDone: boolean): void {
    for (const each of effects.splice(0)) each(isDone);
  }

  function advance(): void {
    forget();
    if (isOver) return;
    for (const entry of undelivered) {
      const next = due.get(entry);
      if (next === undefined) break;
      deliver(next);
    }
    if (isCaughtUp()) settle(true);
    if (due.size > 0 || effects.length > 0) forget = platformClock.after(patienceMs, giveIn);
  }

  /** What is waited for does not come: the next result is delivered without it, and an effect is not allowed without it. */
  function giveIn(): void {
    const next = [...undelivered].flatMap((entry) => due.get(entry) ?? [])[0];
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
        due.set(entry, { entry, deliver: resolve });
        void Promise.resolve().then(advance); // once the caller waits, or those who waited before it would be ahead
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

/** Results by name and input, and then by call: a script may have made very many. */
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

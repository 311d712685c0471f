import { UtensilError } from '../../base/errors.ts';
import { fingerprintNow } from '../../base/hash-now.ts';
import { toJson } from '../../base/json.ts';
import { subCallMark } from '../../model/sub-call.ts';
import type { CallEntry, InnerResultEntry, InnerRunEntry } from '../../thread/entry.ts';
import type { ToolResult } from '../../tool/result.ts';
import { toPart } from './call-parts.ts';
import { recordOf } from './call-records.ts';
import type { CallLog } from './call-records.ts';
import type { RunContext } from '../run-context.ts';

type Entry = InnerResultEntry | CallEntry | InnerRunEntry;

/** Opens the log of a model's call. Undefined if its tool is not replayable, or the run has no thread. */
export function createCallLog(parentCallId: string, run: RunContext): CallLog | undefined {
  const { runId, thread, calls, durability, environment } = run;
  const { ready, replay } = recordOf(calls, parentCallId);
  if (thread === undefined || ready?.replayable !== true || parentCallId.includes(subCallMark)) return undefined;
  const effects = new Map<string, Promise<void>>();
  const idempotent = new Set<string>();
  const options = durability === 'power' ? { durable: true } : {};
  let pending: Entry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let asked = 0;
  let numbered = 0;

  /** The first number without a logged call, so that a question asked before an interruption keeps its id. */
  function nextId(): string {
    for (;;) {
      const id = `${parentCallId}${subCallMark}${++numbered}`;
      if (replay?.ids.has(id) !== true) return id;
    }
  }

  function flush(): Promise<void> {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const entries = pending;
    pending = [];
    if (entries.length === 0) return;
    run.feed({ type: 'store' }); // their turn must be stored first
    try {
      await thread?.note(entries, options);
    } catch (error) {
      pending = [...entries.filter(({ type }) => type === 'inner-result'), ...pending];
      throw error;
    }
  }

  /** The inner call that a change belongs to; the call itself if its tool makes the change. */
  function changing(callId: string): string {
    const [outer = callId, inner] = callId.split(subCallMark);
    return inner === undefined ? outer : `${outer}${subCallMark}${inner}`;
  }

  /** Records that something may take effect, unless it is recorded already. */
  async function once(id: string, note: () => Promise<void>): Promise<void> {
    const begun = effects.get(id) ?? note();
    effects.set(id, begun);
    await begun.catch((error: unknown) => {
      effects.delete(id); // the next attempt may succeed
      throw error;
    });
  }

  /** A new effect waits for the log entries of all earlier ones. */
  async function caughtUp(): Promise<void> {
    if (replay !== undefined && !(await replay.caughtUp())) throw diverged();
  }

  async function noteRun(innerRunId: string): Promise<void> {
    await caughtUp();
    pending.push({ type: 'inner-run', parentCallId, innerRunId, runId, time: environment.now() });
    await flush();
  }

  async function noteBegun(id: string, isOutermost: boolean): Promise<void> {
    await caughtUp();
    const begun: CallEntry = {
      type: 'call-begun',
      callId: id,
      ...(isOutermost && { replay: 'never' }),
      runId,
      time: environment.now(),
    };
    if (!idempotent.has(id)) pending.push(begun);
    await flush();
  }

  return {
    async admit(name, input) {
      const inOrder = `${parentCallId}${subCallMark}${++asked}`;
      const inputHash = fingerprintNow(toJson(input)); // a tool may have put anything there
      const before = await replay?.take({ callId: inOrder, name, inputHash });
      return before === undefined
        ? { callId: nextId(), inputHash }
        : { callId: before.result.callId, inputHash, before };
    },
    async catchUp() {
      await caughtUp();
      await flush();
    },
    noteIdempotent: (callId) => void idempotent.add(callId),
    noteEffect: (callId) => void effects.set(callId, Promise.resolve()),
    async begin(callId) {
      const id = changing(callId);
      await once(id, () => noteBegun(id, id === parentCallId));
    },
    beginRun: (innerRunId) => once(`${parentCallId}${subCallMark}${innerRunId}`, () => noteRun(innerRunId)),
    async keep({ callId, inputHash }, name, { result, openWorld, durationMs }) {
      const { control } = result;
      const isEffect = effects.has(callId);
      const call = { type: 'tool-call', callId, name, input: {}, executedBy: 'us' } as const;
      pending.push({
        type: 'inner-result',
        parentCallId,
        result: toPart(call, result, { durationMs, ...(openWorld && { openWorld }) }),
        ...(control !== undefined && { ends: control.end }),
        inputHash,
        isEffect,
        runId,
        time: environment.now(),
      });
      const isCancelled = result.code === 'tool_cancelled'; // no replay needs it any more
      if (isEffect || isCancelled) await flush().catch(() => undefined); // kept for the next replay; until then it counts as begun
    },
    flush,
    isReplayable: () => !effects.has(parentCallId),
  };
}

/** A logged result in the form in which the tool received it. */
export function resultOf({ result: part, ends }: InnerResultEntry): ToolResult {
  const { type: _, callId, name, durationMs, openWorld, ...result } = part;
  return { ...result, ...(ends !== undefined && { control: { end: ends } }) };
}

function diverged(): UtensilError {
  const problem =
    'The tool ran again after an interruption, and did not make the calls that it had made before: nothing more is changed.';
  return new UtensilError('tool_interrupted', problem);
}

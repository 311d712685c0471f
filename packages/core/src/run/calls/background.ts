// Loaded before the first call of a tool with `settle`, or at the start of a run with open receipts.

import { longestTimer } from '../../base/environment.ts';
import type { FilesObserver } from '../../files/taint/observer.ts';
import { messageForModel } from '../../base/host-paths.ts';
import type { Cancellation } from '../../call/attempt.ts';
import type { CallContext } from '../../call/call-context.ts';
import { lostText } from '../../call/settle.ts';
import type { LateResultPart, Message, ToolCallPart } from '../../model/message.ts';
import { afterTimeout } from '../../base/pauses.ts';
import { cancelEntry, cancelledIn } from '../../thread/detached-calls.ts';
import type { OpenReceipt } from '../../thread/detached-calls.ts';
import { isUtensilError, UtensilError } from '../../base/errors.ts';
import { failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { toPart } from './call-parts.ts';
import { identityOf } from './call-identity.ts';
import { recordOf } from './call-records.ts';
import { cancelledByUser } from '../loop/calls.ts';
import type { RunContext } from '../run-context.ts';
import { readBackOf, sharedContext } from './shared-context.ts';
import { CallObserver, taintBy } from '../taint.ts';

/** Background calls of a run. */
export interface Background {
  /** Waits for the result of a call, and passes it to the run. */
  settle(open: OpenReceipt): void;
  /** Cancels a call. False if it is not under way. */
  cancel(callId: string, reason?: string): boolean;
  /** Called when nothing else is left to do: the run parks after a while. */
  rest(): void;
}

/** A call whose result is awaited. */
interface Waiting {
  readonly cancellation: Cancellation;
  readonly name: string;
}

/** `failed` is called if the code for a result cannot be loaded: the next run waits for it. */
export function createBackground(run: RunContext, failed: (error: unknown) => void): Background {
  const { thread, calls, signal, environment } = run;
  const { after = afterTimeout } = environment;
  const waiting = new Map<string, Waiting>();
  let clear: () => void = () => undefined;
  let leave: (() => void) | undefined;
  let read = thread?.last() ?? 0;
  signal.addEventListener('abort', () => (clear(), unwatch()), { once: true });

  async function settle(open: OpenReceipt): Promise<void> {
    const { receipt, message } = open;
    const { callId, name } = receipt;
    if (waiting.has(callId) || signal.aborted) return;
    const each: Waiting = { cancellation: {}, name };
    waiting.set(callId, each);
    if (leave === undefined) watch();
    const record = recordOf(calls, callId);
    if (message.runId !== undefined) record.ofRun ??= message.runId;
    if (record.cancelled !== undefined) stop(callId, record.cancelled.reason);
    const part = await resultOf(open, each);
    if (signal.aborted) return; // the next run on the thread waits for it again
    waiting.delete(callId);
    if (waiting.size === 0) unwatch();
    const late: Message = {
      id: lateId(callId),
      role: 'user',
      parts: [part],
      createdAt: environment.now(),
      runId: run.runId,
    };
    run.feed({ type: 'late-result', callId, message: late });
  }

  async function resultOf(
    { receipt, message, call = unknownCall(receipt) }: OpenReceipt,
    { cancellation }: Waiting,
  ): Promise<LateResultPart> {
    const { callId, name, detached } = receipt;
    const observer = new CallObserver(run.taint);
    let isOpenWorld = false;
    let result: ToolResult;
    try {
      const ready = await run.toolset.prepare({ name, input: call.input });
      const ageMs = environment.now() - message.createdAt;
      const { settleTimeoutMs } = ready;
      const leftMs = settleTimeoutMs === undefined ? undefined : settleTimeoutMs - ageMs;
      const context = contextOf(callId, cancellation, observer);
      result =
        cancellation.result ??
        (await ready.settleDetached?.(detached, context, leftMs)) ??
        failure('tool_interrupted', lostText(name));
      isOpenWorld = ready.openWorld || receipt.openWorld === true;
    } catch (error) {
      if (isUtensilError(error, 'code_unavailable')) throw error;
      result = failure('tool_failed', `Tool execution failed: ${messageForModel(error)}`);
    }
    const isOutside = isOpenWorld || observer.hasRead;
    if (isOutside) taintBy(run.taint, name);
    const durationMs = environment.now() - message.createdAt;
    const {
      type: _,
      calledAs: __,
      detached: ___,
      ...part
    } = toPart(call, result, {
      durationMs,
      ...(isOutside && { openWorld: true }),
    });
    return { type: 'late-result', ...part, name, ...(call.title !== undefined && { title: call.title }) };
  }

  function contextOf(callId: string, cancellation: Cancellation, observer: FilesObserver): CallContext {
    return {
      ...sharedContext(run),
      callId,
      observer,
      identity: () => identityOf(callId, run),
      signal,
      cancellation,
      progress: (progress) => run.emit({ type: 'tool-progress', callId, progress }),
      ...readBackOf(run, callId),
    };
  }

  /** Others may cancel a call from here on, or have just done so. */
  function watch(): void {
    const lookSoon = (): void => void look().catch(() => undefined); // if the entry cannot be read now, the next notification tries again
    leave = thread?.watch(lookSoon);
    lookSoon();
  }

  function unwatch(): void {
    leave?.();
    leave = undefined;
  }

  /** Reads cancellations by others. */
  async function look(): Promise<void> {
    if (thread === undefined) return;
    const entries = await thread.after(read);
    read = entries.at(-1)?.position ?? read;
    for (const [callId, { reason }] of cancelledIn(entries)) stop(callId, reason);
  }

  function stop(callId: string, reason: string | undefined): boolean {
    const each = waiting.get(callId);
    if (each === undefined || each.cancellation.result !== undefined) return false;
    const { cancellation, name } = each;
    cancellation.result = cancelledByUser(name, { reason, began: 'changing' });
    cancellation.giveUp?.(new UtensilError('tool_cancelled', 'The user cancelled the call.'));
    return true;
  }

  return {
    settle: (open) => void settle(open).catch(failed),
    cancel(callId, reason) {
      if (!stop(callId, reason)) return false;
      void thread?.note(cancelEntry(callId, { reason, time: environment.now() })).catch(() => undefined); // its result follows
      return true;
    },
    rest() {
      clear();
      const { parkAfterMs } = run.detached;
      const over = (): void => run.feed({ type: 'rest-over' });
      if (parkAfterMs !== undefined && parkAfterMs <= longestTimer && run.path.length === 0)
        clear = after(parkAfterMs, over);
    },
  };
}

/** Id of the message with a late result, unique in the thread. */
function lateId(callId: string): string {
  return `result/${callId}`;
}

/** Reconstructs the call of a receipt passed in without it. */
function unknownCall({ callId, name }: OpenReceipt['receipt']): ToolCallPart {
  return { type: 'tool-call', callId, name, input: {}, executedBy: 'us' };
}

import type { Json } from '../base/json.ts';
import { callsOf } from '../model/message.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../model/message.ts';
import { appendAfterRead } from './append-after-read.ts';
import type { CancelEntry, StoredEntry } from './entry.ts';
import { messagesIn } from './messages.ts';
import type { Thread } from './thread.ts';

/** A call that continues in the background. */
export interface DetachedCall {
  readonly callId: string;
  /** Name of its tool. */
  readonly name: string;
  /** For display. */
  readonly title: string;
  /** The tool's handle for it. */
  readonly handle: Json;
  /** Time of its receipt, in milliseconds since 1970. */
  readonly since: number;
  /** Id of the run whose model made it. */
  readonly runId?: string;
  /** True if it was cancelled and no run has told the model yet. */
  readonly isCancelled?: true;
}

/** A receipt without a result. */
export interface OpenReceipt {
  readonly receipt: ToolResultPart & { readonly detached: Json };
  /** Message of the receipt. */
  readonly message: Message;
  /** The call as it was executed. */
  readonly call?: ToolCallPart | undefined;
}

/** Receipts in these messages that have no result yet, by call id, oldest first. */
export function openReceipts(messages: readonly Message[]): ReadonlyMap<string, OpenReceipt> {
  const open = new Map<string, OpenReceipt>();
  for (const message of messages)
    for (const part of message.parts) {
      if (part.type === 'late-result') open.delete(part.callId);
      else if (part.type === 'tool-result' && part.detached !== undefined)
        open.set(part.callId, { receipt: { ...part, detached: part.detached }, message });
    }
  if (open.size === 0) return open;
  for (const call of messages.flatMap(callsOf)) {
    const receipt = open.get(call.callId);
    if (receipt !== undefined) open.set(call.callId, { ...receipt, call });
  }
  return open;
}

/** The first cancellation of each call. */
export function cancelledIn(entries: readonly StoredEntry[]): ReadonlyMap<string, CancelEntry> {
  const cancelled = new Map<string, CancelEntry>();
  for (const { entry } of entries)
    if (entry.type === 'cancelled' && !cancelled.has(entry.callId)) cancelled.set(entry.callId, entry);
  return cancelled;
}

/**
 * Lists the background calls of a thread, oldest first, whether their run is active in any process, parked, or over.
 * `resume`, or a `run` with a new message, waits for their results.
 *
 * @example
 * ```ts
 * import { memoryThread } from '@utensil/core';
 * import { detachedCalls } from '@utensil/core/thread';
 *
 * const thread = memoryThread('build'); // or openThread(records, 'build'), in whichever process
 * for (const { title, since } of await detachedCalls(thread)) console.log(title, new Date(since));
 * ```
 */
export async function detachedCalls(thread: Pick<Thread, 'read'>): Promise<readonly DetachedCall[]> {
  const page = await thread.read();
  const messages = messagesIn(page);
  const cancelled = cancelledIn(page.entries);
  return [...openReceipts(messages)].map(([callId, { receipt, message, call }]) => {
    const { name, detached: handle } = receipt;
    return {
      callId,
      name,
      title: call?.title ?? name,
      handle,
      since: message.createdAt,
      ...(message.runId !== undefined && { runId: message.runId }),
      ...(cancelled.has(callId) && { isCancelled: true }),
    };
  });
}

/** Call to cancel with {@link cancelDetached}. */
export interface CancelledDetached {
  readonly callId: string;
  /** Reason, for the model. */
  readonly reason?: string;
  /** The person who cancels it, from the host's authentication. */
  readonly by?: string;
}

/**
 * Cancels a background call of a thread. Its run may be active in another process, parked, or over. An active run
 * notifies its tool at once; work that happens elsewhere is not stopped by anything else. The model is told on its next
 * turn. Returns false if no such call is under way.
 *
 * @example
 * ```ts
 * import { memoryThread } from '@utensil/core';
 * import { cancelDetached } from '@utensil/core/thread';
 *
 * const thread = memoryThread('build');
 * const isCancelled = await cancelDetached(thread, { callId: 'call_1', reason: 'It is not needed any more.', by: 'ann' });
 * if (isCancelled) throw new Error('unexpected'); // there is no such call
 * ```
 */
export async function cancelDetached(
  thread: Pick<Thread, 'read' | 'append'>,
  { callId, reason, by }: CancelledDetached,
  now: () => number = Date.now,
): Promise<boolean> {
  return appendAfterRead(thread, (page) => {
    const isOpen = openReceipts(messagesIn(page)).has(callId) && !cancelledIn(page.entries).has(callId);
    return isOpen ? cancelEntry(callId, { reason, by, time: now() }) : undefined;
  });
}

/** The cancellation entry. */
export function cancelEntry(
  callId: string,
  {
    reason,
    by,
    time,
  }: { readonly reason?: string | undefined; readonly by?: string | undefined; readonly time: number },
): CancelEntry {
  return { type: 'cancelled', callId, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }), time };
}

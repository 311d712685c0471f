import { isUtensilError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { callsOf } from '../model/message.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { CancelEntry, StoredEntry } from './entry.ts';
import { messagesIn } from './messages.ts';
import type { Thread } from './thread.ts';

/** A call that goes on in the background. */
export interface DetachedCall {
  readonly callId: string;
  /** That of its tool. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What its tool knows it by. */
  readonly handle: Json;
  /** When it had its receipt, in milliseconds since 1970. */
  readonly since: number;
  /** The run whose model made it. */
  readonly runId?: string;
  /** It was cancelled, and no run has told the model yet. */
  readonly isCancelled?: true;
}

/** A receipt without its result. */
export interface OpenReceipt {
  readonly receipt: ToolResultPart & { readonly detached: Json };
  /** Of the receipt. */
  readonly message: Message;
  /** The call itself, as it ran. */
  readonly call?: ToolCallPart | undefined;
}

/** Receipts of calls in these messages whose result is not there, by call, oldest first. */
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
 * Calls of a thread that go on in the background, oldest first: of a run that is at work in whichever process, parked, or over.
 * `resume`, or a `run` with something new, waits for their results.
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

/** What {@link cancelDetached} cancels. */
export interface CancelledDetached {
  readonly callId: string;
  /** Told to the model. */
  readonly reason?: string;
  /** Who cancels it, as the host's authentication knows them. */
  readonly by?: string;
}

/**
 * Cancels a call of a thread that goes on in the background, whose run may be at work in another process, parked, or over. A run
 * at work tells its tool at once; what goes on elsewhere is not stopped by anybody else. The model is told with its next turn.
 * Returns false, and does nothing, if no such call is under way.
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
  for (;;) {
    const { entries, last, ...rest } = await thread.read();
    const isOpen = openReceipts(messagesIn({ entries, ...rest })).has(callId) && !cancelledIn(entries).has(callId);
    if (!isOpen) return false;
    try {
      await thread.append([cancelEntry(callId, { reason, by, time: now() })], { ifLast: last });
      return true;
    } catch (error) {
      if (!isUtensilError(error, 'thread_changed')) throw error; // its result may be there by now
    }
  }
}

/** The entry of a cancellation. */
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

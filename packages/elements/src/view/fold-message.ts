import type { Message, RunEventBody } from '@utensil/core';
import type { CallView } from './call-view.ts';
import { callAfter, changeCall, leftOpen, newCall } from './fold-call.ts';
import type { CallEvent, CallKey } from './fold-call.ts';
import { addResult, messageView } from './items.ts';
import type { ItemView, MessageView } from './message-view.ts';
import { same } from './same.ts';

type EventOf<Type extends RunEventBody['type']> = Extract<RunEventBody, { readonly type: Type }>;

type Messages = readonly MessageView[];

/** Run and time of an event. */
interface Happened {
  readonly runId: string;
  readonly time: number;
}

/** Adds the message of a starting or retried turn; a retry shows its reason until content arrives. */
export function begin(messages: Messages, event: EventOf<'step-start'> & Happened): Messages {
  const open = openMessage(event);
  const before = messages.at(-1);
  const retry = before?.key === open.key ? before.retry : undefined;
  return [...settle(messages), retry === undefined ? open : { ...open, retry: { ...retry, waitMs: 0 } }];
}

/** Marks the failed turn for a retry. `asked`: the model of the failed attempt. */
export function beginAgain(
  messages: Messages,
  event: EventOf<'step-retry'> & Happened,
  asked: string | undefined,
): Messages {
  const { attempt, model, error, waitMs, time } = event;
  const isOther = model.id !== asked;
  const retry = { attempt, code: error.code, until: time + waitMs, waitMs, ...(isOther && { model: model.id }) };
  return [...settle(messages), { ...openMessage(event), retry }];
}

function openMessage({ step, model, runId, time }: EventOf<'step-start' | 'step-retry'> & Happened): MessageView {
  const key = `${runId}/${step}`;
  return { key, role: 'assistant', items: [], createdAt: time, model: model.id, isStreaming: true };
}

/** Changes the streaming message. */
function changeOpen(messages: Messages, change: (items: readonly ItemView[]) => readonly ItemView[]): Messages {
  const at = messages.findLastIndex(({ isStreaming }) => isStreaming);
  const open = messages[at];
  if (open === undefined) return messages;
  const items = change(open.items);
  const { retry: _, ...begun } = open;
  return messages.with(at, { ...(items.length > 0 ? begun : open), items });
}

/** Adds a part to the streaming message. */
export function addToOpen(
  messages: Messages,
  event: EventOf<'text-delta' | 'reasoning-delta' | 'source' | 'file'>,
): Messages {
  if (event.type === 'source' || event.type === 'file') {
    const part = partAlone(event);
    return changeOpen(messages, (items) => [...items, part]);
  }
  const type = event.type === 'text-delta' ? 'text' : 'reasoning';
  return changeOpen(messages, (items) => {
    const last = items.at(-1);
    if (last?.type !== type) return [...items, { type, text: event.text }];
    return items.with(items.length - 1, { ...last, text: last.text + event.text });
  });
}

/** The part of an event without its envelope. */
function partAlone(event: EventOf<'source' | 'file'>): EventOf<'source' | 'file'> {
  const { runId: _, seq: __, time: ___, ...part } = event as typeof event & Record<'runId' | 'seq' | 'time', unknown>;
  return part;
}

/** Adds the result of a call run by the vendor. */
export function addProviderResult(messages: Messages, part: EventOf<'provider-result'>): Messages {
  return changeOpen(messages, (before) => {
    const items = [...before];
    addResult(items, part);
    return items;
  });
}

/** A streaming call in the streaming message, in which earlier calls have other ids or are complete. */
export function addCall(
  messages: Messages,
  event: Extract<CallEvent, { type: 'tool-input-start' | 'tool-input-delta' | 'tool-call' }>,
  runId: string,
): Messages {
  return changeOpen(messages, (items) => {
    const at = event.type === 'tool-input-start' ? -1 : writtenAt(items, event);
    const known = items[at];
    if (known?.type === 'call') return items.with(at, { ...known, call: callAfter(known.call, event, runId) });
    if (event.type === 'tool-input-delta') return items;
    return [...items, { type: 'call', call: callAfter(newCall(event), event, runId) }];
  });
}

/** Position of the streaming call. A complete one may have a different id than at its start. */
function writtenAt(
  items: readonly ItemView[],
  event: { readonly callId: string; readonly name?: string; readonly calledAs?: string },
): number {
  const isWritten = (item: ItemView): boolean => item.type === 'call' && item.call.status === 'input';
  const byId = items.findLastIndex(
    (item) => isWritten(item) && (item as { call: CallView }).call.callId === event.callId,
  );
  const { name, calledAs = name } = event; // it started under the name that the model writes
  if (byId >= 0 || calledAs === undefined) return byId;
  return items.findIndex((item) => isWritten(item) && (item as { call: CallView }).call.name === calledAs);
}

/** Ends the streaming message. */
export function closeOpen(messages: Messages): Messages {
  const at = messages.findLastIndex(({ isStreaming }) => isStreaming);
  const open = messages[at];
  if (open === undefined) return messages;
  const { isStreaming: _, retry: __, ...whole } = open;
  return messages.with(at, whole);
}

/** Messages with a changed call; undefined if it is missing. */
export function changeIn(messages: Messages, key: CallKey, change: (call: CallView) => CallView): Messages | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined || message.role !== 'assistant') continue;
    const items = changeItem(message.items, key, change);
    if (items !== undefined) return messages.with(index, { ...message, items });
  }
  return undefined;
}

function changeItem(
  items: readonly ItemView[],
  key: CallKey,
  change: (call: CallView) => CallView,
): readonly ItemView[] | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item?.type !== 'call') continue;
    const [call] = changeCall([item.call], key, change) ?? [];
    if (call !== undefined) return items.with(index, { type: 'call', call });
  }
  return undefined;
}

/** Stores a message: that of the turn, an existing one, or a new one, which precedes those not stored. */
export function store(messages: Messages, message: Message, earlierCalls: readonly CallView[]): Messages {
  const known = messages.findLastIndex(({ id }) => id === message.id);
  const unstored = messages.findLastIndex(({ id }) => id === undefined);
  const at = known >= 0 || message.role === 'user' ? known : unstored;
  const before = messages[at];
  const view = stored(message, earlierCalls, before);
  if (before !== undefined) return messages.with(at, view);
  return unstored < 0 ? [...messages, view] : messages.toSpliced(unstored, 0, view);
}

function stored(message: Message, earlierCalls: readonly CallView[], before?: MessageView): MessageView {
  const { key = message.id, isStreaming, items = [] } = before ?? {};
  const view = messageView(message, { resultOf: () => undefined, isFollowed: false });
  const calls = new Map([...earlierCalls.map((call) => [call.callId, call] as const), ...callsById(items)]);
  const merged = view.items.map((item): ItemView => {
    const call = item.type === 'call' ? calls.get(item.call.callId) : undefined;
    return item.type === 'call' && call !== undefined ? { type: 'call', call: withPart(call, item.call) } : item;
  });
  if (isStreaming !== true) return { ...view, key, items: merged };
  return { ...view, key, isStreaming, items: ahead(merged, items) };
}

/** Stored parts of a streaming message, and newer ones. */
function ahead(stored: readonly ItemView[], live: readonly ItemView[]): readonly ItemView[] {
  const whole = live.filter((item) => item.type !== 'call' || item.call.status !== 'input');
  const written = live.filter((item) => item.type === 'call' && item.call.status === 'input');
  const parts = stored.filter(({ type }) => type !== 'notice').slice(0, whole.length);
  const last = whole[parts.length - 1];
  if (last?.type === 'text' || last?.type === 'reasoning') parts[parts.length - 1] = last;
  return [...parts, ...whole.slice(parts.length), ...written];
}

/** A live call, merged with its stored part. */
function withPart(call: CallView, part: CallView): CallView {
  const { inputText: _, ...known } = call;
  const { status: __, inner: ___, result: ____, ...facts } = part;
  return { ...known, ...facts, status: call.status === 'input' ? 'waiting' : call.status };
}

function callsById(items: readonly ItemView[]): ReadonlyMap<string, CallView> {
  return new Map(items.flatMap((item) => (item.type === 'call' ? [[item.call.callId, item.call]] : [])));
}

/** Removes turns without results, and restores stored states. `isOver`: the run has ended. */
export function settle(messages: Messages, isOver = false): Messages {
  const remaining = messages.filter(({ id }) => id !== undefined);
  return remaining.map((view, index) => {
    const { message, key, items } = view;
    if (message === undefined || !(isOver || view.isStreaming)) return view;
    const calls = callsById(items);
    const isFollowed = isOver && index < remaining.length - 1;
    const resultOf = ({ callId }: { readonly callId: string }): CallView | undefined => {
      const call = calls.get(callId);
      return isOver && call !== undefined && call.inner.length > 0
        ? { ...call, inner: call.inner.map(leftOpen) }
        : call;
    };
    const whole = { ...messageView(message, { resultOf, isFollowed }), key };
    return same(whole, view) ? view : whole;
  });
}

import type { CallView } from './call-view.ts';
import type { LiveRun } from './live-run.ts';
import type { ItemView, MessageView, ThreadView } from './message-view.ts';

/** Stored messages and those of a run, as one list. */
export interface Rows {
  readonly length: number;
  at(index: number): MessageView | undefined;
  /** -1 if the message is missing. */
  indexOf(id: string): number;
}

const farthest = 100; // how many messages back to search for an earlier call

/**
 * Merges a thread with its current run; the run's newer messages replace stored ones. Takes time proportional to the
 * run, however long the thread is.
 */
export function rowsOf({ messages, places }: ThreadView, live: LiveRun): Rows {
  const from = firstOf(live, places) ?? messages.length;
  const tail = merged(messages.slice(from), live.messages);
  const length = from + tail.length;
  const earlier = withCalls(messages, from, live.earlierCalls);
  return {
    length,
    at: (index) => (index < from ? (earlier.get(index) ?? messages[index]) : tail[index - from]),
    indexOf(id) {
      const place = places.get(id);
      if (place !== undefined && place < from) return place;
      const at = tail.findIndex((row) => row.id === id);
      return at === -1 ? -1 : from + at;
    },
  };
}

function firstOf({ messages }: LiveRun, places: ReadonlyMap<string, number>): number | undefined {
  const known = messages.flatMap(({ id }) => (id === undefined ? [] : (places.get(id) ?? [])));
  return known.length === 0 ? undefined : Math.min(...known);
}

function merged(stored: readonly MessageView[], live: readonly MessageView[]): readonly MessageView[] {
  const byId = new Map(live.map((view) => [view.id, view]));
  const own = new Set(stored.map(({ id }) => id));
  const current = stored.map((view) => byId.get(view.id) ?? view);
  return [...current, ...live.filter(({ id }) => id === undefined || !own.has(id))];
}

/** Messages before `from` with calls that the run continues, by index. */
function withCalls(
  messages: readonly MessageView[],
  from: number,
  calls: readonly CallView[],
): ReadonlyMap<number, MessageView> {
  const changed = new Map<number, MessageView>();
  if (calls.length === 0) return changed;
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const known = ({ items }: MessageView): boolean =>
    items.some((item) => item.type === 'call' && byId.has(item.call.callId));
  for (let index = from - 1; index >= Math.max(0, from - farthest); index--) {
    const message = messages[index];
    if (message !== undefined && known(message)) changed.set(index, withNewer(message, byId));
  }
  return changed;
}

function withNewer(message: MessageView, calls: ReadonlyMap<string, CallView>): MessageView {
  const items = message.items.map((item): ItemView => {
    const newer = item.type === 'call' ? calls.get(item.call.callId) : undefined;
    return item.type === 'call' && newer !== undefined ? { type: 'call', call: { ...item.call, ...newer } } : item;
  });
  return { ...message, items };
}

import type { Message, Thread } from '@utensil/core';
import { messagesOf, textOf } from '@utensil/core';
import type { Conversation } from './conversation.ts';
import type { Screen } from './screen.ts';

/** Interval in milliseconds for checking that the other program is alive: a killed one sends no notification. */
const lookAfter = 2_000;

/**
 * Shows the entries that another program stores in this thread, until it leaves the thread. Returns true once it has
 * left; false if the signal fires.
 */
export async function followOther({ session, terminal, screen }: Conversation, signal: AbortSignal): Promise<boolean> {
  const thread = session.thread();
  let owner = await thread.owner?.();
  if (owner === undefined) return true;
  const shown = createShown(screen, (await messagesOf(thread)).filter(isWhole));
  terminal.write(screen.note(`${await busyText(thread)} Its answer appears here. Ctrl-C stops watching.`));
  while (owner !== undefined && !signal.aborted) {
    await changeOf(thread, signal);
    owner = await thread.owner?.();
    for (const message of await messagesOf(thread)) terminal.write(shown(message));
  }
  return !signal.aborted;
}

/** New parts of each message: the draft is shown as far as it has come, and continued from there. */
function createShown(screen: Screen, known: readonly Message[]): (message: Message) => string {
  const whole = new Set(known.map(({ id }) => id));
  let [begun, said] = ['', ''];
  return (message) => {
    const { id, role, parts } = message;
    if (whole.has(id)) return '';
    if (isWhole(message)) whole.add(id);
    const text = textOf(parts);
    const isMore = id === begun && text.startsWith(said);
    if (!isMore && (isWhole(message) || role !== 'assistant')) return isWhole(message) ? screen.history([message]) : '';
    const more = isMore ? text.slice(said.length) : text;
    [begun, said] = [id, text];
    return more === '' ? '' : screen.event({ type: 'text-delta', text: more, runId: '', seq: 0, time: 0 });
  };
}

/** Owner of a thread, and since when; empty if it is free. */
export async function busyText(thread: Thread): Promise<string> {
  const owner = await thread.owner?.();
  if (owner === undefined) return '';
  const { entries } = await thread.read();
  const begun = entries.findLast(({ entry }) => entry.type === 'run-begun' && entry.runId === owner.runId)?.entry;
  const since = begun?.type === 'run-begun' ? begun.time : owner.seenAt;
  const [, number] = owner.holder?.match(/-(\d+)-/) ?? []; // format of the process holder's ids
  const who = number === undefined ? 'Another program' : `Another program (process ${number})`;
  return `${who} is at work on this conversation${since === undefined ? '' : `, since ${timeOf(since)}`}.`;
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString('sv'); // time of day in ISO 8601
}

function isWhole({ incomplete }: Message): boolean {
  return incomplete === undefined;
}

/** Waits for a change of the thread, or for the interval. */
async function changeOf(thread: Thread, signal: AbortSignal): Promise<void> {
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lookAfter);
    const stopWatching = thread.watch(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    stop = () => {
      clearTimeout(timer);
      stopWatching();
    };
    if (signal.aborted) resolve();
  });
  stop();
}

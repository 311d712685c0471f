import { capability, defineTool, result } from '@utensil/core';
import type { Capability, ExplicitResult } from '@utensil/core';
import * as z from 'zod/mini';

/** What is to happen later: the chat goes on with this message. */
export interface Wakeup {
  readonly projectId: string;
  readonly threadId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** The clock of an app, which begins runs by itself. */
export interface Wakeups {
  /** Sets a wake-up, and gives its id. */
  schedule(wakeup: Wakeup): Promise<string>;
  /** Whether there was one of this id in this chat, and is no longer. */
  cancel(id: string, threadId: string): Promise<boolean>;
}

/** Wakes chats up. */
export const wakeups: Capability<Wakeups> = /* @__PURE__ */ capability<Wakeups>('wakeups');

const sevenDays = 7 * 24 * 60 * 60;

/** Lets the model go on by itself later, at most seven days from now. */
export const scheduleWakeupTool = /* @__PURE__ */ defineTool({
  name: 'schedule_wakeup',
  title: 'Schedule a wake-up',
  description: 'Calls you back in this chat after a while, at most 7 days: to look again, to remind, to go on.',
  input: z.toJSONSchema(
    z.object({
      delay_seconds: z
        .int()
        .check(z.minimum(1), z.maximum(sevenDays), z.describe(`From now. At most ${sevenDays}, which is 7 days.`)),
      message: z.string().check(z.minLength(1), z.describe('What you will be told then.')),
    }),
  ),
  ui: { subtitle: 'Goes on by itself later', icon: '⏰', category: 'notes' },
  effects: 'write',
  requires: { wakeups },
  execute: async ({ delay_seconds, message }, _options, { host, projectId, threadId, now }) => {
    if (threadId === undefined) return noChat();
    const at = now() + delay_seconds * 1_000;
    const id = await host.wakeups.schedule({ projectId, threadId, at, message });
    return { id, at: new Date(at).toISOString() };
  },
  render: { title: 'Wake up: {message}' },
});

/** Takes back a wake-up of the chat that it is called in. */
export const cancelWakeupTool = /* @__PURE__ */ defineTool({
  name: 'cancel_wakeup',
  title: 'Cancel a wake-up',
  description: 'Takes back a wake-up of this chat.',
  input: z.toJSONSchema(z.object({ id: z.string().check(z.describe('As schedule_wakeup gave it.')) })),
  ui: { subtitle: 'Takes back a wake-up', icon: '⏰', category: 'notes' },
  effects: 'write',
  idempotent: true,
  requires: { wakeups },
  execute: async ({ id }, _options, { host, threadId }) => {
    if (threadId === undefined) return noChat();
    const isCancelled = await host.wakeups.cancel(id, threadId);
    return isCancelled ? 'Wake-up cancelled.' : result({ output: `This chat has no wake-up "${id}".`, isError: true });
  },
});

function noChat(): ExplicitResult {
  return result({
    output: 'This conversation is none of the chats that are kept: it cannot be woken up.',
    isError: true,
  });
}

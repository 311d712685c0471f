import { capability, defineTool, result } from '@utensil/core';
import type { Capability, ExplicitResult } from '@utensil/core';
import * as z from 'zod/mini';

/** A scheduled message that continues a chat. */
export interface Wakeup {
  readonly projectId: string;
  readonly threadId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** Scheduler of an app, which starts runs by itself. */
export interface Wakeups {
  /** Schedules a wake-up. Resolves to its id. */
  schedule(wakeup: Wakeup): Promise<string>;
  /** Cancels a wake-up. Resolves to false if this chat has none with this id. */
  cancel(id: string, threadId: string): Promise<boolean>;
}

/** Capability: scheduling wake-ups. */
export const wakeups: Capability<Wakeups> = /* @__PURE__ */ capability<Wakeups>('wakeups');

const sevenDays = 7 * 24 * 60 * 60;

/** Lets the model schedule its own continuation, at most seven days ahead. */
export const scheduleWakeupTool = /* @__PURE__ */ defineTool({
  name: 'schedule_wakeup',
  title: 'Schedule a wake-up',
  description:
    'Calls you back in this chat after a delay of at most 7 days: to check again, to remind the user, or to continue.',
  input: z.toJSONSchema(
    z.object({
      delay_seconds: z
        .int()
        .check(z.minimum(1), z.maximum(sevenDays), z.describe(`From now. At most ${sevenDays}, which is 7 days.`)),
      message: z.string().check(z.minLength(1), z.describe('The message that you will receive then.')),
    }),
  ),
  ui: { subtitle: 'Continues chats later', icon: '⏰', category: 'notes' },
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

/** Cancels a wake-up of the current chat. */
export const cancelWakeupTool = /* @__PURE__ */ defineTool({
  name: 'cancel_wakeup',
  title: 'Cancel a wake-up',
  description: 'Cancels a wake-up of this chat.',
  input: z.toJSONSchema(z.object({ id: z.string().check(z.describe('As returned by schedule_wakeup.')) })),
  ui: { subtitle: 'Cancels wake-ups', icon: '⏰', category: 'notes' },
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
    output: 'This conversation is not stored as a chat, so it cannot be woken up.',
    isError: true,
  });
}

import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { chats } from './chats.ts';

const usual = 10;
const most = 50;

/** Lists the recent chats, newest first. */
export const recentChatsTool = /* @__PURE__ */ defineTool({
  name: 'list_recent_chats',
  title: 'Recent chats',
  description: 'Lists the recent chats with the user, newest first, with their titles and summaries.',
  input: z.toJSONSchema(
    z.object({
      limit: z.optional(
        z.int().check(z.minimum(1), z.maximum(most), z.describe(`At most this many. Default ${usual}.`)),
      ),
    }),
  ),
  ui: { subtitle: 'Lists recent chats', icon: '🗂️', category: 'notes' },
  effects: 'read',
  requires: { chats },
  execute: async ({ limit = usual }, _options, { host, threadId }) =>
    (await host.chats.list({ limit })).map(({ id, title, summary, createdAt }) => ({
      id,
      title,
      ...(summary !== undefined && { summary }),
      created_at: new Date(createdAt).toISOString(),
      ...(id === threadId && { is_this_chat: true }),
    })),
  render: { status: (output) => (Array.isArray(output) ? `${output.length} chats` : '') },
});

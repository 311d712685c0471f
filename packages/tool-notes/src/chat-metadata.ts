import { defineTool, result } from '@utensil/core';
import * as z from 'zod/mini';
import { chats } from './chats.ts';

/** Sets the title and summary of the current chat. */
export const chatMetadataTool = /* @__PURE__ */ defineTool({
  name: 'update_chat_metadata',
  title: 'Chat metadata',
  description:
    'Sets the title or summary of this chat, by which the user finds it again. Omitted fields are unchanged; an empty text clears a field.',
  input: z.toJSONSchema(
    z.object({
      title: z.optional(z.string().check(z.maxLength(200), z.describe('At most 200 characters.'))),
      summary: z.optional(z.string().check(z.describe('Topic and outcome, in a few sentences.'))),
    }),
  ),
  ui: { subtitle: 'Titles and summaries of chats', icon: '🏷️', category: 'notes' },
  effects: 'write',
  idempotent: true,
  requires: { chats },
  execute: async ({ title, summary }, _options, { host, threadId }) => {
    if (title === undefined && summary === undefined) return problem('Give a title, a summary, or both.');
    const change = {
      ...(title !== undefined && { title: title.trim() }),
      ...(summary !== undefined && { summary: summary.trim() }),
    };
    const chat = threadId === undefined ? undefined : await host.chats.update(threadId, change);
    if (chat === undefined) return problem('This conversation is not stored as a chat, so it has no title.');
    return { title: chat.title, summary: chat.summary ?? '' };
  },
  render: {
    title: 'Name this chat {title}',
    model: (output) => (typeof output === 'string' ? output : 'Chat metadata updated.'),
  },
});

function problem(output: string) {
  return result({ output, isError: true });
}

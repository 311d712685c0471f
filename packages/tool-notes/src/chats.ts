import { capability, isObject, isUtensilError } from '@utensil/core';
import type { Capability, Json, JsonObject, RecordStore, StoredRecord } from '@utensil/core';
import type { FilesObserver } from '@utensil/core/files';

/** A chat as listed. */
export interface Chat {
  readonly id: string;
  readonly title: string;
  readonly summary?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Set if the model that wrote the title or summary had read outside content. */
  readonly tainted?: true;
}

/** A change of a chat. Empty texts clear a field; absent fields are unchanged. */
export interface ChatChange {
  readonly title?: string;
  readonly summary?: string;
  /** See {@link Chat.tainted}. */
  readonly tainted?: true;
}

/** The chats of an app. */
export interface Chats {
  get(id: string): Promise<Chat | undefined>;
  /** Changes a chat. Resolves to the changed chat, or undefined if it does not exist. */
  update(id: string, change: ChatChange): Promise<Chat | undefined>;
  /** Lists chats, newest first. */
  list(options: { readonly limit: number }): Promise<readonly Chat[]>;
}

/** Capability: chats that a model may list and name. */
export const chats: Capability<Chats> = /* @__PURE__ */ capability<Chats>('chats', { seenBy: observed });

/** Wraps chats so that a run records their outside content. */
function observed(all: Chats, observer: FilesObserver): Chats {
  const seen = (chat: Chat | undefined): Chat | undefined => {
    if (chat?.tainted === true) observer.taint(`the chat ${JSON.stringify(chat.title)}`, []);
    return chat;
  };
  return {
    get: async (id) => seen(await all.get(id)),
    update: (id, change) => all.update(id, observer.isTainted() ? { ...change, tainted: true } : change),
    async list(options) {
      const found = await all.list(options);
      for (const chat of found) seen(chat);
      return found;
    },
  };
}

/**
 * Exposes the threads of an app as chats. A cleared title falls back to the beginning of the first message.
 *
 * @example
 * ```ts
 * import { createRecords, createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { chatsOf, recentChatsTool } from '@utensil/tool-notes';
 *
 * const host = { chats: chatsOf(createRecords(memoryStorage())) };
 * const toolset = resolveToolset(createRegistry([recentChatsTool]), emptySettings, host);
 * if (toolset.unavailable.length > 0) throw new Error('unexpected');
 * ```
 */
export function chatsOf(records: RecordStore): Chats {
  return {
    get: async (id) => toChat((await records.get(['threads', id]))?.value),
    async update(id, change) {
      for (let attempt = 1; ; attempt++) {
        const record = await records.get(['threads', id]);
        if (record === undefined || toChat(record.value) === undefined) return undefined;
        try {
          return toChat((await put(records, record, change)).value);
        } catch (error) {
          if (attempt === mostAttempts || !isUtensilError(error, 'ECONFLICT')) throw error;
        }
      }
    },
    async list({ limit }) {
      const all: Chat[] = [];
      for await (const record of records.list(['threads'])) {
        const chat = 'value' in record ? toChat(record.value) : undefined;
        if (chat !== undefined) all.push(chat);
      }
      return all.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    },
  };
}

/** Maximum attempts to change a record while others change it too. */
const mostAttempts = 8;

function put(records: RecordStore, { key, value, etag }: StoredRecord, change: ChatChange): Promise<StoredRecord> {
  return records.put(key, changed(value as JsonObject, change), { ifMatch: etag });
}

/** The record keeps the thread's initial title. */
function changed(record: JsonObject, { title, summary, tainted }: ChatChange): JsonObject {
  const { firstTitle = record['title'] ?? '', summary: before, tainted: wasTainted, ...rest } = record;
  const next = summary ?? before ?? '';
  const isAllNew = title !== undefined && summary !== undefined;
  return {
    ...rest,
    ...((tainted === true || (wasTainted === true && !isAllNew)) && { tainted: true }),
    firstTitle,
    ...(title !== undefined && { title: title === '' ? firstTitle : title }),
    ...(next !== '' && { summary: next }),
  };
}

function toChat(value: Json | undefined): Chat | undefined {
  if (!isObject(value)) return undefined;
  const { id, title, summary, createdAt, tainted } = value;
  if (typeof id !== 'string' || typeof title !== 'string' || typeof createdAt !== 'number') return undefined;
  const told = { ...(typeof summary === 'string' && { summary }), ...(tainted === true && { tainted }) } as const;
  return { id, title, createdAt, ...told };
}

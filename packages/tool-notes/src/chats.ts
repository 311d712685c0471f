import { capability, isObject, isUtensilError } from '@utensil/core';
import type { Capability, Json, JsonObject, RecordStore, StoredRecord } from '@utensil/core';
import type { FilesObserver } from '@utensil/core/files';

/** A chat, as a list of chats shows it. */
export interface Chat {
  readonly id: string;
  readonly title: string;
  readonly summary?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The model that wrote the title or the summary had read outside content. */
  readonly tainted?: true;
}

/** What of a chat changes. Empty: it is cleared. Absent: it stays. */
export interface ChatChange {
  readonly title?: string;
  readonly summary?: string;
  /** See {@link Chat.tainted}. */
  readonly tainted?: true;
}

/** The chats of an app. */
export interface Chats {
  get(id: string): Promise<Chat | undefined>;
  /** The chat after the change; undefined where there is none of this id. */
  update(id: string, change: ChatChange): Promise<Chat | undefined>;
  /** Newest first. */
  list(options: { readonly limit: number }): Promise<readonly Chat[]>;
}

/** The chats that a model may name, and know of. */
export const chats: Capability<Chats> = /* @__PURE__ */ capability<Chats>('chats', { seenBy: observed });

/** The chats, as a run sees them. */
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
 * The threads of an app as its chats. A title that is cleared is again the beginning of the first message.
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

/** A change is tried again where somebody else's came between. */
const mostAttempts = 8;

function put(records: RecordStore, { key, value, etag }: StoredRecord, change: ChatChange): Promise<StoredRecord> {
  return records.put(key, changed(value as JsonObject, change), { ifMatch: etag });
}

/** The record keeps the title that the thread began with. */
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

import { isObject } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { Attachment } from './attachments.ts';

/** A message that has not been sent. */
export interface MessageDraft {
  readonly text: string;
  /** Kept in memory only: they may exceed the browser's storage for drafts. */
  readonly attachments: readonly Attachment[];
  /** Names of attachments lost when the page was reloaded. */
  readonly lost: readonly string[];
}

/** Drafts of a project, one for each conversation. */
export interface MessageDrafts {
  /** The same object until it changes. */
  of(conversation: string): MessageDraft;
  change(conversation: string, draft: Partial<MessageDraft>): void;
  /** Removes and returns a draft, in order to send it. */
  take(conversation: string): MessageDraft;
  /** Restores a draft that could not be sent, before text written since. */
  giveBack(conversation: string, draft: Partial<MessageDraft>): void;
  /** Deletes the drafts of removed conversations. Default: all of the project. */
  forget(conversation?: string): void;
  /** True if the browser can store drafts. */
  isKept(): boolean;
  subscribe(listener: () => void): () => void;
}

/** Key of the draft for a new conversation. Each tab has its own. */
export const newConversation = 'new';

const nothing: MessageDraft = { text: '', attachments: [], lost: [] };

/** Debounce delay in milliseconds. */
const pause = 300;

/**
 * Opens the drafts of a project. They are stored shortly after each keystroke and when the page is left, and
 * synchronized between tabs.
 */
export function openDrafts(projectId: string): MessageDrafts {
  const prefix = `utensil-web-demo/draft/${projectId}/`;
  const known = new Map<string, MessageDraft>();
  const due = new Set<string>();
  const { notify, subscribe } = createListeners();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isKept = true;

  function of(conversation: string): MessageDraft {
    const draft = known.get(conversation) ?? read(prefix + conversation);
    known.set(conversation, draft);
    return draft;
  }

  function set(conversation: string, draft: MessageDraft): void {
    known.set(conversation, draft);
    due.add(conversation);
    clearTimeout(timer);
    timer = setTimeout(flush, pause);
    notify();
  }

  function flush(): void {
    clearTimeout(timer);
    const before = isKept;
    for (const conversation of due) if (write(prefix + conversation, of(conversation))) due.delete(conversation);
    isKept = due.size === 0; // retries a failed write
    if (isKept !== before) notify();
  }

  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  addEventListener('storage', ({ key, newValue }) => {
    if (key === null || !key.startsWith(prefix)) return;
    const conversation = key.slice(prefix.length);
    if (conversation === newConversation || due.has(conversation)) return; // text typed here is newer
    const { text } = draftOf(newValue);
    if (text === of(conversation).text) return;
    known.set(conversation, { ...of(conversation), text });
    notify();
  });

  return {
    of,
    change: (conversation, draft) => set(conversation, { ...of(conversation), ...draft }),
    take(conversation) {
      const draft = of(conversation);
      set(conversation, nothing);
      flush();
      return draft;
    },
    giveBack(conversation, { text = '', attachments = [] }) {
      const since = of(conversation);
      const texts = [text, since.text].filter((each) => each !== '');
      set(conversation, { ...since, text: texts.join('\n\n'), attachments: [...attachments, ...since.attachments] });
    },
    forget(conversation) {
      for (const key of conversation === undefined ? keysFrom(prefix) : [prefix + conversation]) {
        known.delete(key.slice(prefix.length));
        due.delete(key.slice(prefix.length));
        write(key, nothing);
      }
      notify();
    },
    isKept: () => isKept,
    subscribe,
  };
}

/** The draft of a new conversation belongs to its tab; a new tab starts with the latest draft of any tab. */
function read(key: string): MessageDraft {
  const ofTab = isNew(key) ? stored('session', key) : null;
  return draftOf(ofTab ?? stored('local', key));
}

/** Parses a stored draft, which may be damaged or come from an older version. */
function draftOf(stored: string | null): MessageDraft {
  if (stored === null || stored === '') return nothing;
  const value = parsed(stored);
  const { text = '', attached = [] } = isObject(value) ? value : {};
  if (typeof text !== 'string' || !Array.isArray(attached)) return nothing;
  return { text, attachments: [], lost: attached.filter((name) => typeof name === 'string') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether it is stored. */
function write(key: string, { text, attachments, lost }: MessageDraft): boolean {
  const attached = [...lost, ...attachments.map(({ name }) => name)];
  const value = text === '' && attached.length === 0 ? '' : JSON.stringify({ text, attached });
  if (!isNew(key)) return put('local', key, value);
  const isOfOtherTab = stored('local', key) !== stored('session', key);
  const isKept = put('session', key, value);
  return value === '' && isOfOtherTab ? isKept : put('local', key, value) || isKept;
}

function isNew(key: string): boolean {
  return key.endsWith(`/${newConversation}`);
}

type Place = 'local' | 'session';

/** Throws if the browser cannot store anything. */
function storageOf(place: Place): Storage {
  return place === 'local' ? localStorage : sessionStorage;
}

function stored(place: Place, key: string): string | null {
  try {
    return storageOf(place).getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether it is stored. An empty value is kept, so that the tab does not start with another one's draft. */
function put(place: Place, key: string, value: string): boolean {
  try {
    if (value === '' && place === 'local') localStorage.removeItem(key);
    else storageOf(place).setItem(key, value);
    return true;
  } catch {
    return false; // quota exceeded, or storage disabled
  }
}

function keysFrom(prefix: string): readonly string[] {
  try {
    return [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

import { isObject } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { Attachment } from './attachments.ts';

/** A message that is written and not sent. */
export interface MessageDraft {
  readonly text: string;
  /** They are kept until the page is closed: they may be too large for what the browser keeps of drafts. */
  readonly attachments: readonly Attachment[];
  /** The names of those that were attached before the page was loaded again. */
  readonly lost: readonly string[];
}

/** The drafts of a project, one for each conversation. */
export interface MessageDrafts {
  /** The same object until it changes. */
  of(conversation: string): MessageDraft;
  change(conversation: string, draft: Partial<MessageDraft>): void;
  /** Takes a draft to send it; it is gone. */
  take(conversation: string): MessageDraft;
  /** Gives back what could not be sent, before what was written since. */
  giveBack(conversation: string, draft: Partial<MessageDraft>): void;
  /** Forgets the drafts of conversations that are removed. Default: all of the project. */
  forget(conversation?: string): void;
  /** True if the browser stores drafts. */
  isKept(): boolean;
  subscribe(listener: () => void): () => void;
}

/** The conversation that begins with what is written. Every tab has its own. */
export const newConversation = 'new';

const nothing: MessageDraft = { text: '', attachments: [], lost: [] };

/** Milliseconds after a key until it is stored. */
const pause = 300;

/** Opens the drafts of a project: stored soon after each key and when the page is left, and followed from tab to tab. */
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
    isKept = due.size === 0; // what could not be stored is tried again
    if (isKept !== before) notify();
  }

  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  addEventListener('storage', ({ key, newValue }) => {
    if (key === null || !key.startsWith(prefix)) return;
    const conversation = key.slice(prefix.length);
    if (conversation === newConversation || due.has(conversation)) return; // what is typed here is newer
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

/** The draft of a new conversation belongs to its tab; a tab that never had one begins with the latest of any. */
function read(key: string): MessageDraft {
  const ofTab = isNew(key) ? stored('session', key) : null;
  return draftOf(ofTab ?? stored('local', key));
}

/** What is stored of a draft may have been written by an older app, or be damaged. */
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

/** Whether it is stored now. */
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

/** Throws if the browser stores nothing. */
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

/** Whether it is stored now. An empty value stays in the tab, which is not to begin with that of another one. */
function put(place: Place, key: string, value: string): boolean {
  try {
    if (value === '' && place === 'local') localStorage.removeItem(key);
    else storageOf(place).setItem(key, value);
    return true;
  } catch {
    return false; // no room, or a browser that stores nothing
  }
}

function keysFrom(prefix: string): readonly string[] {
  try {
    return [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

import { useEffect, useSyncExternalStore } from 'react';
import type { Conversation } from '../data/conversation.ts';
import { newConversation } from '../data/drafts.ts';
import type { MessageDraft } from '../data/drafts.ts';
import type { OpenProject } from '../data/workspace.ts';
import { go } from '../route.ts';
import { Thread } from './elements.tsx';

/** The draft of a conversation, and functions to send messages. */
export interface Sending {
  readonly draft: MessageDraft;
  /** True if the browser stores the draft. */
  readonly isKept: boolean;
  change(changes: Partial<MessageDraft>): void;
  /** Sends the draft. */
  sendDraft(): void;
  /** Sends a given text instead of the draft. */
  send(text: string): void;
  /** Sends an edited message as an alternative to the first one. */
  edit(messageId: string, text: string): void;
}

/** Sends messages to a conversation. Messages that cannot be stored are restored as its draft. */
export function useSending(opened: OpenProject, conversation: Conversation, id: string | undefined): Sending {
  const { drafts, project } = opened;
  const draftId = id ?? newConversation;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.of(draftId));
  const isKept = useSyncExternalStore(drafts.subscribe, drafts.isKept);

  useEffect(() => {
    if (draft.text !== '') void Thread.load(); // the conversation is about to be created
  }, [draft.text]);

  async function send({ text, attachments }: Omit<MessageDraft, 'lost'>): Promise<void> {
    const words = text.trim();
    const parts = attachments.map(({ part }) => part);
    const sent = conversation.send([...parts, ...(words === '' ? [] : [{ type: 'text', text: words } as const])]);
    if (id === undefined) go({ page: 'chat', project: project.id, conversation: conversation.id });
    if (!(await sent)) drafts.giveBack(conversation.id, { text, attachments });
  }

  async function edit(messageId: string, text: string): Promise<void> {
    if (!(await conversation.edit(messageId, text))) drafts.giveBack(draftId, { text });
  }

  return {
    draft,
    isKept,
    change: (changes) => drafts.change(draftId, changes),
    sendDraft: () => void send(drafts.take(draftId)),
    send: (text) => void send({ text, attachments: [] }),
    edit: (messageId, text) => void edit(messageId, text),
  };
}

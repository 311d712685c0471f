import { useRun } from '@utensil/react';
import type { LiveRun, Notice } from '@utensil/elements/view';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { endingOf } from '../data/advice.ts';
import type { ConversationState } from '../data/conversation-state.ts';
import type { Conversation } from '../data/conversation.ts';
import { liveInOtherTab } from '../data/other-tab.ts';
import { storeTitle, titleOf } from '../data/titles.ts';
import type { OpenProject } from '../data/workspace.ts';
import { useEscape } from './escape.ts';
import { useTexts } from './use-texts.ts';

/** A conversation as a screen shows it. */
export interface ShownConversation {
  readonly conversation: Conversation;
  readonly state: ConversationState;
  /** The current answer, in this or another tab. */
  readonly live: LiveRun;
  /** Its outcome, if elements cannot know it. */
  readonly ending: Notice | undefined;
}

/** Follows the conversation with this id, in all tabs; a new one if absent. */
export function useConversation(opened: OpenProject, id: string | undefined): ShownConversation {
  const texts = useTexts();
  const [newId] = useState(() => crypto.randomUUID());
  const conversation = opened.conversation(id ?? newId);
  const state = useSyncExternalStore(conversation.subscribe, conversation.state);
  const own = useRun(state.run);
  const elsewhere = useMemo(() => liveInOtherTab(state), [state]);
  const live = elsewhere ?? own;
  const ending = useMemo(() => endingOf(live, state, texts), [live, state, texts]);

  useEffect(() => {
    void conversation.reload();
    return opened.records.watch(['threads', conversation.id], () => void conversation.reload());
  }, [conversation, opened]);

  const title = titleOf(state.messages);
  useEffect(() => {
    // Otherwise the list would keep the title of the first message.
    if (title !== '') void storeTitle(opened.records, conversation.id, title).catch(() => undefined);
  }, [title, conversation, opened]);

  useEscape(state.isRunning, conversation.stop);
  return { conversation, state, live, ending };
}

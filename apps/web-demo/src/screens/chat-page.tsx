import { useRun } from '@utensil/react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import { newConversation } from '../data/drafts.ts';
import type { MessageDraft } from '../data/drafts.ts';
import { liveElsewhere } from '../data/elsewhere.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go } from '../route.ts';
import { Beginning } from './beginning.tsx';
import { Composer } from './composer.tsx';
import { Thread } from './elements.tsx';
import { focusByPointer } from './focus.ts';
import { Meter } from './meter.tsx';
import { Notice } from './notice.tsx';

interface ChatProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  /** The conversation; a new one where there is none. */
  readonly id: string | undefined;
}

/** A conversation with a model. */
export function ChatPage({ workspace, opened, id }: ChatProps): ReactElement {
  const [newId] = useState(() => crypto.randomUUID());
  const conversation = opened.conversation(id ?? newId);
  const state = useSyncExternalStore(conversation.subscribe, conversation.state);
  const own = useRun(state.run);
  const elsewhere = useMemo(() => liveElsewhere(state), [state]);
  const live = elsewhere ?? own;
  const { drafts } = opened;
  const draftId = id ?? newConversation;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.of(draftId));
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    void conversation.reload();
    return opened.storage.watch((changed) => {
      const isOurs = changed.some(({ tree, path }) => tree === 'records' && path.includes(conversation.id));
      if (isOurs) void conversation.reload();
    });
  }, [conversation, opened]);

  useEffect(() => {
    if (draft.text !== '') void Thread.load(); // there is a conversation in a moment
  }, [draft.text]);

  async function send({ text, attachments }: MessageDraft): Promise<void> {
    const words = text.trim();
    const parts = attachments.map(({ part }) => part);
    const sent = conversation.send([...parts, ...(words === '' ? [] : [{ type: 'text', text: words } as const])]);
    if (id === undefined) go({ page: 'chat', project: opened.project.id, conversation: conversation.id });
    if (!(await sent)) drafts.giveBack(conversation.id, { text, attachments });
  }

  async function edit(messageId: string, text: string): Promise<void> {
    if (!(await conversation.edit(messageId, text))) drafts.giveBack(draftId, { text });
  }

  function choose(text: string): void {
    drafts.change(draftId, { text });
    focusByPointer(field.current);
  }

  const isEmpty = state.messages.length === 0 && !state.isRunning;
  return (
    <div className="chat">
      <h1 className="hidden-text">Conversation</h1>
      {isEmpty ? (
        <Beginning onChoose={choose} />
      ) : (
        <>
          <h2 className="hidden-text">Messages</h2>
          <Thread
            className="thread"
            messages={state.messages}
            live={live}
            registry={workspace.registry}
            branches={state.branches}
            canRemember
            onAnswer={({ detail: { callId, answer, runId } }) => conversation.answer(callId, answer, runId)}
            onRegenerate={({ detail: { messageId } }) => void conversation.regenerate(messageId)}
            onEdit={({ detail: { messageId, text } }) => void edit(messageId, text)}
            onContinue={() => void conversation.continue()}
            onBranch={({ detail: { messageId, to } }) => conversation.showOther(messageId, to)}
          />
        </>
      )}
      {state.problem !== undefined && <Notice text={state.problem} onDismiss={conversation.dismiss} />}
      {state.isAnsweredElsewhere && (
        <div className="notice" role="status">
          <p>Another tab is answering here. You can go on when it is done.</p>
        </div>
      )}
      {state.isUnfinished && (
        <div className="notice" role="status">
          <p>This conversation was interrupted.</p>
          <button type="button" onClick={() => void conversation.continue()}>
            Continue
          </button>
        </div>
      )}
      <Composer
        workspace={workspace}
        opened={opened}
        draft={draft}
        onDraft={(changes) => drafts.change(draftId, changes)}
        isKept={drafts.isKept()}
        field={field}
        isRunning={state.isRunning}
        isBlocked={state.isAnsweredElsewhere}
        onSend={() => void send(drafts.take(draftId))}
        onStop={conversation.stop}
      >
        <Meter live={live} messages={state.messages} request={() => state.run?.lastRequest()} />
      </Composer>
    </div>
  );
}

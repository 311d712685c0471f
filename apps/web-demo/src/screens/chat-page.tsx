import { textOf } from '@utensil/core';
import type { ContentPart } from '@utensil/core';
import { useRun } from '@utensil/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go } from '../route.ts';
import { Beginning } from './beginning.tsx';
import { Composer } from './composer.tsx';
import { Thread } from './elements.tsx';
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
  const live = useRun(state.run);
  const [draft, setDraft] = useState('');

  useEffect(() => {
    void conversation.reload();
    return opened.storage.watch((changed) => {
      const isOurs = changed.some(({ tree, path }) => tree === 'records' && path.includes(conversation.id));
      if (isOurs) void conversation.reload();
    });
  }, [conversation, opened]);

  useEffect(() => {
    if (state.unsent !== undefined) setDraft(textOf(state.unsent)); // what could not be kept is there to be sent again
  }, [state.unsent]);

  useEffect(() => {
    if (draft !== '') void Thread.load(); // there is a conversation in a moment
  }, [draft]);

  function send(parts: readonly ContentPart[]): void {
    void conversation.send(parts);
    if (id === undefined) go({ page: 'chat', project: opened.project.id, conversation: conversation.id });
  }

  const isEmpty = state.messages.length === 0 && !state.isRunning;
  return (
    <div className="chat">
      <h1 className="hidden-text">Conversation</h1>
      {isEmpty ? (
        <Beginning onChoose={setDraft} />
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
            onEdit={({ detail: { messageId, text } }) => void conversation.edit(messageId, text)}
            onContinue={() => void conversation.continue()}
            onBranch={({ detail: { messageId, to } }) => conversation.showOther(messageId, to)}
          />
        </>
      )}
      {state.problem !== undefined && <Notice text={state.problem} onDismiss={conversation.dismiss} />}
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
        onDraft={setDraft}
        isRunning={state.isRunning}
        onSend={send}
        onStop={conversation.stop}
      >
        <Meter live={live} messages={state.messages} request={() => state.run?.lastRequest()} />
      </Composer>
    </div>
  );
}

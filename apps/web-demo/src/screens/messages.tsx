import type { Registry } from '@utensil/core';
import type { ReactElement } from 'react';
import { Thread } from './elements.tsx';
import type { ShownConversation } from './use-conversation.ts';
import { useTexts } from './use-texts.ts';

interface MessagesProps {
  readonly shown: ShownConversation;
  readonly registry: Registry;
  onEdit(messageId: string, text: string): void;
}

/** Messages of a conversation, with their actions. */
export function Messages({ shown, registry, onEdit }: MessagesProps): ReactElement {
  const { chat: texts } = useTexts();
  const { conversation, state, live, ending } = shown;
  return (
    <>
      <h2 className="hidden-text">{texts.messages}</h2>
      <Thread
        className="thread"
        messages={state.messages}
        live={live}
        registry={registry}
        branches={state.branches}
        notice={ending}
        owner={state.owner}
        canRemember
        canCancel
        onCancel={({ detail: { path } }) => conversation.cancel(path)}
        onAnswer={({ detail: { questionId, answer } }) => conversation.answer(questionId, answer)}
        onRegenerate={({ detail: { messageId } }) => void conversation.regenerate(messageId)}
        onEdit={({ detail: { messageId, text } }) => onEdit(messageId, text)}
        onContinue={() => void conversation.continue()}
        onBranch={({ detail: { messageId, to } }) => conversation.showOther(messageId, to)}
      />
    </>
  );
}

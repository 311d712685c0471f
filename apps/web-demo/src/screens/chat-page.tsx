import { callsOf } from '@utensil/core';
import type { Message } from '@utensil/core';
import { useRun } from '@utensil/react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import { endingOf } from '../data/advice.ts';
import { newConversation } from '../data/drafts.ts';
import type { MessageDraft } from '../data/drafts.ts';
import { liveElsewhere } from '../data/elsewhere.ts';
import type { Example } from '../data/examples.ts';
import { modelName, understandsCommandsOnly } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go } from '../route.ts';
import { Beginning } from './beginning.tsx';
import { Composer } from './composer.tsx';
import { Thread } from './elements.tsx';
import { useEscape } from './escape.ts';
import { focusByPointer } from './focus.ts';
import { Meter } from './meter.tsx';
import { ModelLink } from './model-link.tsx';
import { Notice } from './notice.tsx';
import { Suggestions } from './suggestions.tsx';
import { useExamples } from './use-examples.ts';
import { useModelChoice } from './use-model-choice.ts';

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
  const [unreadable, setUnreadable] = useState<string>();
  const choice = useModelChoice(opened, setUnreadable);
  const isCommands = choice !== undefined && understandsCommandsOnly(choice);
  const examples = useExamples(opened, state.messages);

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

  useEscape(state.isRunning, conversation.stop);

  async function send({ text, attachments }: Omit<MessageDraft, 'lost'>): Promise<void> {
    const words = text.trim();
    const parts = attachments.map(({ part }) => part);
    const sent = conversation.send([...parts, ...(words === '' ? [] : [{ type: 'text', text: words } as const])]);
    if (id === undefined) go({ page: 'chat', project: opened.project.id, conversation: conversation.id });
    if (!(await sent)) drafts.giveBack(conversation.id, { text, attachments });
  }

  async function edit(messageId: string, text: string): Promise<void> {
    if (!(await conversation.edit(messageId, text))) drafts.giveBack(draftId, { text });
  }

  function tryExample({ command, prompt }: Example): void {
    void send({ text: isCommands ? command : prompt, attachments: [] });
    focusByPointer(field.current); // the button goes with the first screen
  }

  const ending = useMemo(() => endingOf(live, state), [live, state]);
  const isEmpty = state.messages.length === 0 && !state.isRunning;
  return (
    <div className="chat">
      <h1 className="hidden-text">Conversation</h1>
      {isEmpty ? (
        choice !== undefined && (
          <Beginning choice={choice} project={opened.project.id} examples={examples} onRun={tryExample} />
        )
      ) : (
        <>
          <h2 className="hidden-text">Messages</h2>
          <Thread
            className="thread"
            messages={state.messages}
            live={live}
            registry={workspace.registry}
            branches={state.branches}
            notice={ending}
            canRemember
            onAnswer={({ detail: { callId, answer, runId } }) => conversation.answer(callId, answer, runId)}
            onRegenerate={({ detail: { messageId } }) => void conversation.regenerate(messageId)}
            onEdit={({ detail: { messageId, text } }) => void edit(messageId, text)}
            onContinue={() => void conversation.continue()}
            onBranch={({ detail: { messageId, to } }) => conversation.showOther(messageId, to)}
          />
        </>
      )}
      {isCommands && !state.isRunning && didNothing(state.messages) && (
        <Suggestions examples={examples} onRun={tryExample} />
      )}
      {unreadable !== undefined && <Notice text={unreadable} onDismiss={() => setUnreadable(undefined)} />}
      {state.problem !== undefined && <Notice {...state.problem} onDismiss={conversation.dismiss} />}
      {state.isAnsweredElsewhere && (
        <div className="notice" role="status">
          <p>Another tab is answering here. You can go on when it is done.</p>
        </div>
      )}
      <Composer
        workspace={workspace}
        opened={opened}
        draft={draft}
        placeholder={placeholderFor(choice)}
        onDraft={(changes) => drafts.change(draftId, changes)}
        isKept={drafts.isKept()}
        field={field}
        isRunning={state.isRunning}
        isBlocked={state.isAnsweredElsewhere}
        onSend={() => void send(drafts.take(draftId))}
        onStop={conversation.stop}
      >
        {choice !== undefined && <ModelLink choice={choice} project={opened.project.id} />}
        <Meter live={live} messages={state.messages} request={() => state.run?.lastRequest()} />
      </Composer>
    </div>
  );
}

/** Whether the last message was answered, and nothing was done for it. */
function didNothing(messages: readonly Message[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const answer = messages.slice(last + 1);
  return answer.length > 0 && answer.every((message) => callsOf(message).length === 0);
}

function placeholderFor(choice: ModelChoice | undefined): string {
  if (choice === undefined) return '';
  return understandsCommandsOnly(choice) ? 'Write a command, such as “list” or “help”' : `Message ${modelName(choice)}`;
}

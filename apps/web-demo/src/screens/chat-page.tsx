import { callsOf } from '@utensil/core';
import type { Message } from '@utensil/core';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Example } from '../data/examples.ts';
import { ownModelName, understandsCommandsOnly } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import type { Texts } from '../texts/texts.ts';
import { Beginning } from './beginning.tsx';
import { Composer } from './composer.tsx';
import { focusByPointer } from './focus.ts';
import { Messages } from './messages.tsx';
import { Meter } from './meter.tsx';
import { ModelLink } from './model-link.tsx';
import { Notice } from './notice.tsx';
import { Suggestions } from './suggestions.tsx';
import { useConversation } from './use-conversation.ts';
import { useExamples } from './use-examples.ts';
import { useModelChoice } from './use-model-choice.ts';
import { useSending } from './use-sending.ts';
import { useTexts } from './use-texts.ts';

interface ChatProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  /** The conversation; a new one if absent. */
  readonly id: string | undefined;
}

/** A conversation with a model. */
export function ChatPage({ workspace, opened, id }: ChatProps): ReactElement {
  const { chat: texts, composer } = useTexts();
  const shown = useConversation(opened, id);
  const { conversation, state, live } = shown;
  const sending = useSending(opened, conversation, id);
  const field = useRef<HTMLTextAreaElement>(null);
  const [unreadable, setUnreadable] = useState<string>();
  const choice = useModelChoice(opened, setUnreadable);
  const examples = useExamples(opened, state.messages);
  const isCommands = choice !== undefined && understandsCommandsOnly(choice);
  const isEmpty = state.messages.length === 0 && !state.isRunning;
  const project = opened.project.id;

  function tryExample({ command, prompt }: Example): void {
    sending.send(isCommands ? command : prompt);
    focusByPointer(field.current); // the button disappears with the first screen
  }

  return (
    <div className="chat">
      <h1 className="hidden-text">{texts.heading}</h1>
      {!isEmpty && <Messages shown={shown} registry={workspace.registry} onEdit={sending.edit} />}
      {isEmpty && choice !== undefined && <Beginning {...{ choice, project, examples }} onRun={tryExample} />}
      {isCommands && !state.isRunning && didNothing(state.messages) && (
        <Suggestions examples={examples} onRun={tryExample} />
      )}
      {unreadable !== undefined && <Notice text={unreadable} onDismiss={() => setUnreadable(undefined)} />}
      {state.problem !== undefined && <Notice {...state.problem} onDismiss={conversation.dismiss} />}
      <Composer
        {...{ workspace, opened, field }}
        draft={sending.draft}
        placeholder={placeholderFor(choice, composer)}
        onDraft={sending.change}
        isKept={sending.isKept}
        isRunning={state.isRunning}
        isBlocked={state.isAnsweredElsewhere}
        onSend={sending.sendDraft}
        onStop={conversation.stop}
      >
        {choice !== undefined && <ModelLink choice={choice} project={project} />}
        <Meter live={live} messages={state.messages} request={() => state.run?.lastRequest()} />
      </Composer>
    </div>
  );
}

/**
 * True if the last message was answered without any tool call.
 */
function didNothing(messages: readonly Message[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const answer = messages.slice(last + 1);
  return answer.length > 0 && answer.every((message) => callsOf(message).length === 0);
}

function placeholderFor(choice: ModelChoice | undefined, texts: Texts['composer']): string {
  if (choice === undefined) return '';
  if (understandsCommandsOnly(choice)) return texts.placeholderCommands;
  const name = ownModelName(choice);
  return name === undefined ? texts.placeholderUnnamed : texts.placeholder(name);
}

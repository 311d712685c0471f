import { deleteThread } from '@utensil/core/thread';
import type { Registry } from '@utensil/core';
import type { ThreadSummary } from '@utensil/core/thread';
import type { ReactElement } from 'react';
import { forgetTitle } from '../data/titles.ts';
import type { OpenProject } from '../data/workspace.ts';
import { go, hrefOf } from '../route.ts';
import type { Route } from '../route.ts';
import { focusByPointer } from './focus.ts';
import { Icon } from './icon.tsx';
import type { Ask } from './question.tsx';
import { useTexts } from './use-texts.ts';
import { useThreads } from './use-threads.ts';
import { WaitingList } from './waiting-list.tsx';

interface ConversationListProps {
  readonly opened: OpenProject | undefined;
  readonly project: string | undefined;
  readonly route: Route;
  readonly registry: Registry;
  /** Called when a new conversation is requested, possibly from the page that shows it. */
  onNew(): void;
  readonly ask: Ask;
  /** Runs an action, and reports a failure. */
  attempt(work: () => Promise<void>): void;
}

/** Conversations of a project, with a button for a new one. */
export function ConversationList({
  opened,
  project,
  route,
  registry,
  onNew,
  ask,
  attempt,
}: ConversationListProps): ReactElement {
  const { sidebar: texts } = useTexts();
  const { threads, waiting } = useThreads(opened);
  const ofProject = project === undefined ? {} : { project };

  async function remove({ id }: ThreadSummary, title: string): Promise<void> {
    if (opened === undefined) return;
    const answer = await ask({
      title: texts.removeTitle,
      text: texts.removeText(title),
      action: texts.removeAction,
      isDangerous: true,
    });
    if (answer === undefined) return;
    await deleteThread(opened.records, id);
    await forgetTitle(opened.records, id);
    opened.drafts.forget(id);
    if (route.conversation === id) go({ page: 'chat', ...ofProject });
  }

  const elsewhere = waiting.filter(({ threadId }) => route.page !== 'chat' || threadId !== route.conversation);
  const titleOf = (id: string): string => threads.find((thread) => thread.id === id)?.title || texts.untitled;

  return (
    <div className="conversations">
      {opened !== undefined && elsewhere.length > 0 && (
        <WaitingList opened={opened} registry={registry} questions={elsewhere} titleOf={titleOf} />
      )}
      <h2>{texts.conversations}</h2>
      <a
        className="new"
        href={hrefOf({ page: 'chat', ...ofProject, conversation: 'new' })}
        onClick={() => {
          onNew();
          focusByPointer(document.getElementById('message'));
        }}
      >
        <Icon name="new" /> {texts.newConversation}
      </a>
      {threads.length === 0 && <p className="none">{texts.noConversations}</p>}
      <ul>
        {threads.map((thread) => {
          const title = thread.title || texts.untitled;
          const isShown = route.page === 'chat' && route.conversation === thread.id;
          return (
            <li key={thread.id}>
              <a
                dir="auto"
                href={hrefOf({ page: 'chat', ...ofProject, conversation: thread.id })}
                aria-current={isShown ? 'page' : undefined}
              >
                {title}
              </a>
              <button
                type="button"
                aria-label={texts.remove(title)}
                onClick={() => attempt(() => remove(thread, title))}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

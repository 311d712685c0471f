import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { problemText } from '../data/advice.ts';
import type { Project } from '../data/projects.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { hrefOf } from '../route.ts';
import type { Route } from '../route.ts';
import { ConversationList } from './conversation-list.tsx';
import { Icon } from './icon.tsx';
import { useQuestion } from './question.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { useTexts } from './use-texts.ts';

interface SidebarProps {
  readonly workspace: Workspace;
  readonly projects: readonly Project[];
  readonly opened: OpenProject | undefined;
  readonly route: Route;
  onProblem(text: string): void;
}

const pages = ['files', 'tools', 'models'] as const;

/** Project, pages and conversations. */
export function Sidebar({ workspace, projects, opened, route, onProblem }: SidebarProps): ReactElement {
  const { app, sidebar: texts } = useTexts();
  const id = opened?.project.id ?? projects[0]?.id;
  const project = projects.find((each) => each.id === id);
  const [question, ask] = useQuestion();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [route.page, route.project, route.conversation]);

  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => onProblem(problemText(error)));

  return (
    <div className={isOpen ? 'sidebar open' : 'sidebar'}>
      <header>
        <button
          type="button"
          className="menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="menu" /> {texts.menu}
        </button>
        <img src="/icon.svg" alt="" width="22" height="22" />
        <span className="brand">{app.name}</span>
      </header>
      <nav id="navigation" aria-label={texts.navigation}>
        <ProjectMenu {...{ workspace, projects, project, opened, ask, attempt }} page={route.page} />
        <ul className="pages">
          {pages.map((page) => (
            <li key={page}>
              <a
                href={hrefOf({ page, ...(id && { project: id }) })}
                aria-current={route.page === page ? 'page' : undefined}
              >
                <Icon name={page} /> {texts.pages[page]}
              </a>
            </li>
          ))}
        </ul>
        {/**
         * If a new conversation is already shown, the address does not change, so the menu is closed here.
         */}
        <ConversationList
          {...{ opened, route, ask, attempt }}
          registry={workspace.registry}
          project={id}
          onNew={() => setIsOpen(false)}
        />
      </nav>
      {question}
    </div>
  );
}

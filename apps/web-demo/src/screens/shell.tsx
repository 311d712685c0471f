import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import { problemText } from '../data/advice.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { useRoute } from '../route.ts';
import { ChatPage } from './chat-page.tsx';
import { later } from './later.tsx';
import { Notice } from './notice.tsx';
import { Sidebar } from './sidebar.tsx';
import { useTexts } from './use-texts.ts';

// Pages other than the chat are loaded on demand.
const opening = <Opening />;
const FilesPage = later(async () => (await import('./files-page.tsx')).FilesPage, opening);
const ModelsPage = later(async () => (await import('./models-page.tsx')).ModelsPage, opening);
const ToolsPage = later(async () => (await import('./tools-page.tsx')).ToolsPage, opening);

function Opening(): ReactElement {
  return <p className="opening">{useTexts().app.opening}</p>;
}

/** Frame of all pages: a sidebar with projects and conversations, and a page. */
export function Shell({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { app: texts } = useTexts();
  const projects = useSyncExternalStore(workspace.subscribe, workspace.projects);
  const route = useRoute();
  const project = projects.find(({ id }) => id === route.project) ?? projects[0];
  const [opened, setOpened] = useState<OpenProject>();
  const [problems, setProblems] = useState(() =>
    [workspace.storages.problem, workspace.vault.problem].filter((problem) => problem !== undefined),
  );

  useEffect(() => {
    if (project === undefined) return undefined;
    let isCurrent = true;
    workspace.open(project).then(
      (opened) => isCurrent && setOpened({ ...opened, project }),
      (error: unknown) => isCurrent && setProblems((known) => added(known, problemText(error))),
    );
    return () => void (isCurrent = false);
  }, [workspace, project]);

  useEffect(() => {
    const settings = opened?.settings;
    if (settings === undefined) return undefined;
    const flush = (): void => void settings.flush().catch(() => undefined); // the setting applies anyway, and the page reports the failure
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [opened?.settings]);

  const current = opened?.project.id === project?.id ? opened : undefined;
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={focusMain}>
        {texts.skip}
      </a>
      <Sidebar
        workspace={workspace}
        projects={projects}
        opened={current}
        route={route}
        onProblem={(text) => setProblems((known) => added(known, text))}
      />
      <main id="main" tabIndex={-1}>
        {problems.map((problem) => (
          <Notice
            key={problem}
            text={problem}
            onDismiss={() => setProblems((known) => known.filter((other) => other !== problem))}
          />
        ))}
        {current !== undefined && <Page key={current.project.id} workspace={workspace} opened={current} />}
      </main>
    </div>
  );
}

function Page({ workspace, opened }: { readonly workspace: Workspace; readonly opened: OpenProject }): ReactElement {
  const { page, conversation } = useRoute();
  switch (page) {
    case 'files':
      return <FilesPage opened={opened} />;
    case 'tools':
      return <ToolsPage workspace={workspace} opened={opened} />;
    case 'models':
      return <ModelsPage workspace={workspace} opened={opened} />;
    case 'chat':
      return (
        <ChatPage
          key={conversation}
          workspace={workspace}
          opened={opened}
          id={conversation === 'new' ? undefined : conversation}
        />
      );
  }
}

/**
 * Routes are internal, so the browser does not navigate.
 */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/**
 * Avoids a repeated announcement.
 */
function added(known: readonly string[], text: string): string[] {
  return [...known.filter((other) => other !== text), text];
}

import { deleteThread, listThreads } from '@utensil/core';
import type { ThreadSummary } from '@utensil/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { addProject, removeProject, renameProject } from '../data/projects.ts';
import type { Project } from '../data/projects.ts';
import { problemText } from '../data/workspace.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go, hrefOf } from '../route.ts';
import type { Page, Route } from '../route.ts';

interface SidebarProps {
  readonly workspace: Workspace;
  readonly projects: readonly Project[];
  readonly opened: OpenProject | undefined;
  readonly route: Route;
  onProblem(text: string): void;
}

const titles: readonly (readonly [Page, string])[] = [
  ['files', 'Files'],
  ['tools', 'Tools'],
  ['models', 'Models'],
];

/** The project, its pages and its conversations. */
export function Sidebar({ workspace, projects, opened, route, onProblem }: SidebarProps): ReactElement {
  const project = opened?.project.id ?? projects[0]?.id;
  const threads = useThreads(opened);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [route.page, route.project, route.conversation]);

  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => onProblem(problemText(error)));

  function newProject(): void {
    const name = prompt('What is the project called?')?.trim();
    if (!name) return;
    attempt(async () => {
      const { id } = await addProject(workspace.storages.app, { name });
      await workspace.reload();
      go({ page: 'chat', project: id });
    });
  }

  function rename(): void {
    const known = projects.find(({ id }) => id === project);
    const name = known && prompt('What is the project to be called?', known.name)?.trim();
    if (!known || !name) return;
    attempt(async () => {
      await renameProject(workspace.storages.app, known, name);
      await workspace.reload();
    });
  }

  function remove(): void {
    const known = projects.find(({ id }) => id === project);
    if (!known || !opened) return;
    if (!confirm(`Remove the project “${known.name}” with all its files and conversations? They cannot be had back.`))
      return;
    attempt(async () => {
      for (const { id } of await listThreads(opened.records)) await deleteThread(opened.records, id);
      for (const { path } of (await opened.files.list('/')).entries)
        await opened.files.remove(path, { recursive: true });
      await opened.storage.history.purge();
      await removeProject(workspace.storages.app, known.id);
      await workspace.reload();
      go({ page: 'chat' });
    });
  }

  function removeThread({ id, title }: ThreadSummary): void {
    if (!opened || !confirm(`Remove the conversation “${title}”? It cannot be had back.`)) return;
    attempt(async () => {
      await deleteThread(opened.records, id);
      if (route.conversation === id) go({ page: 'chat', ...(project && { project }) });
    });
  }

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
          <span aria-hidden="true">☰</span> Menu
        </button>
        <span className="brand">Utensil</span>
      </header>
      <nav id="navigation" aria-label="Main">
        <div className="project">
          <label htmlFor="project">Project</label>
          <select
            id="project"
            value={project}
            onChange={({ target }) => go({ page: route.page, project: target.value })}
          >
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <details className="more">
            <summary>Change projects</summary>
            <button type="button" onClick={newProject}>
              New project
            </button>
            <button type="button" onClick={rename}>
              Rename
            </button>
            {projects.length > 1 && (
              <button type="button" onClick={remove}>
                Remove
              </button>
            )}
          </details>
        </div>
        <ul className="pages">
          {titles.map(([page, title]) => (
            <li key={page}>
              <a
                href={hrefOf({ page, ...(project && { project }) })}
                aria-current={route.page === page ? 'page' : undefined}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
        <div className="conversations">
          <h2>Conversations</h2>
          <a className="new" href={hrefOf({ page: 'chat', ...(project && { project }), conversation: 'new' })}>
            New conversation
          </a>
          <ul>
            {threads.map((thread) => (
              <li key={thread.id}>
                <a
                  href={hrefOf({ page: 'chat', ...(project && { project }), conversation: thread.id })}
                  aria-current={route.page === 'chat' && route.conversation === thread.id ? 'page' : undefined}
                >
                  <bdi>{thread.title || 'Untitled'}</bdi>
                </a>
                <button type="button" aria-label={`Remove ${thread.title}`} onClick={() => removeThread(thread)}>
                  ×
                </button>
              </li>
            ))}
          </ul>
        </div>
      </nav>
    </div>
  );
}

/** The conversations of a project, newest first, as they are stored here and in other tabs. */
function useThreads(opened: OpenProject | undefined): readonly ThreadSummary[] {
  const [found, setFound] = useState<{ readonly of: OpenProject; readonly threads: readonly ThreadSummary[] }>();
  useEffect(() => {
    if (opened === undefined) return undefined;
    let latest = 0;
    const read = async (): Promise<void> => {
      const mine = ++latest;
      const threads = await listThreads(opened.records).catch(() => []);
      if (mine === latest) setFound({ of: opened, threads });
    };
    const stop = opened.storage.watch((changed) => {
      // A thread itself is one level below `threads`: what is said in it changes deeper.
      if (changed.some(({ tree, path }) => tree === 'records' && path.split('/').length <= 3)) void read();
    });
    void read();
    return () => {
      latest = -1;
      stop();
    };
  }, [opened]);
  return found !== undefined && found.of === opened ? found.threads : [];
}

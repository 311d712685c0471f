import { deleteThread, listThreads } from '@utensil/core';
import type { ThreadSummary } from '@utensil/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { removeProject, renameProject } from '../data/projects.ts';
import type { Project } from '../data/projects.ts';
import { problemText } from '../data/workspace.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go, hrefOf } from '../route.ts';
import type { Page, Route } from '../route.ts';
import { focusByPointer } from './focus.ts';
import { Icon } from './icon.tsx';
import { useQuestion } from './question.tsx';

interface SidebarProps {
  readonly workspace: Workspace;
  readonly projects: readonly Project[];
  readonly opened: OpenProject | undefined;
  readonly route: Route;
  onProblem(text: string): void;
}

const titles: readonly (readonly [Exclude<Page, 'chat'>, string])[] = [
  ['files', 'Files'],
  ['tools', 'Tools'],
  ['models', 'Models'],
];

/** The project, its pages and its conversations. */
export function Sidebar({ workspace, projects, opened, route, onProblem }: SidebarProps): ReactElement {
  const project = opened?.project.id ?? projects[0]?.id;
  const known = projects.find(({ id }) => id === project);
  const threads = useThreads(opened);
  const [question, ask] = useQuestion();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [route.page, route.project, route.conversation]);

  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => onProblem(problemText(error)));

  async function newProject(): Promise<void> {
    const name = await ask({ title: 'New project', action: 'Create', field: { label: 'Name' } });
    if (name === undefined) return;
    const { id } = await workspace.addProject(name);
    go({ page: 'chat', project: id });
  }

  async function rename(): Promise<void> {
    if (known === undefined) return;
    const field = { label: 'Name', value: known.name };
    const name = await ask({ title: 'Rename the project', action: 'Rename', field });
    if (name === undefined) return;
    await renameProject(workspace.storages.app, known, name);
    await workspace.reload();
  }

  async function remove(): Promise<void> {
    if (known === undefined || opened === undefined) return;
    const answer = await ask({
      title: `Remove “${known.name}”?`,
      text: 'All its files and conversations go with it, and cannot be had back.',
      action: 'Remove the project',
      isDangerous: true,
    });
    if (answer === undefined) return;
    for (const { id } of await listThreads(opened.records)) await deleteThread(opened.records, id);
    for (const { path } of (await opened.files.list('/')).entries) await opened.files.remove(path, { recursive: true });
    await opened.storage.history.purge();
    opened.drafts.forget();
    await removeProject(workspace.storages.app, known.id); // from here on, no tab stores what is typed in its files
    await opened.fileEdits().forget();
    await workspace.reload();
    go({ page: 'chat' });
  }

  async function removeThread({ id, title }: ThreadSummary): Promise<void> {
    if (opened === undefined) return;
    const answer = await ask({
      title: 'Remove this conversation?',
      text: `“${title}” cannot be had back. Files that it has made stay.`,
      action: 'Remove the conversation',
      isDangerous: true,
    });
    if (answer === undefined) return;
    await deleteThread(opened.records, id);
    opened.drafts.forget(id);
    if (route.conversation === id) go({ page: 'chat', ...(project && { project }) });
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
          <Icon name="menu" /> Menu
        </button>
        <img src="/icon.svg" alt="" width="22" height="22" />
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
            <button type="button" onClick={() => attempt(newProject)}>
              New project
            </button>
            <button type="button" onClick={() => attempt(rename)}>
              Rename
            </button>
            {projects.length > 1 && (
              <button type="button" onClick={() => attempt(remove)}>
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
                <Icon name={page} /> {title}
              </a>
            </li>
          ))}
        </ul>
        <div className="conversations">
          <h2>Conversations</h2>
          <a
            className="new"
            href={hrefOf({ page: 'chat', ...(project && { project }), conversation: 'new' })}
            onClick={() => {
              setIsOpen(false); // if it is there already, the address does not change
              focusByPointer(document.getElementById('message'));
            }}
          >
            <Icon name="new" /> New conversation
          </a>
          {threads.length === 0 && <p className="none">What you talk about is kept here.</p>}
          <ul>
            {threads.map((thread) => (
              <li key={thread.id}>
                <a
                  dir="auto"
                  href={hrefOf({ page: 'chat', ...(project && { project }), conversation: thread.id })}
                  aria-current={route.page === 'chat' && route.conversation === thread.id ? 'page' : undefined}
                >
                  {thread.title || 'Untitled'}
                </a>
                <button
                  type="button"
                  aria-label={`Remove ${thread.title}`}
                  onClick={() => attempt(() => removeThread(thread))}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      {question}
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

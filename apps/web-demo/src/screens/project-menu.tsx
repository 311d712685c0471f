import type { ReactElement } from 'react';
import { renameProject } from '../data/projects.ts';
import type { Project } from '../data/projects.ts';
import { removeAllOf } from '../data/removal.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { go } from '../route.ts';
import type { Page } from '../route.ts';
import type { Ask } from './question.tsx';
import { useTexts } from './use-texts.ts';

interface ProjectMenuProps {
  readonly workspace: Workspace;
  readonly projects: readonly Project[];
  readonly project: Project | undefined;
  readonly opened: OpenProject | undefined;
  readonly page: Page;
  readonly ask: Ask;
  /** Runs an action, and reports a failure. */
  attempt(work: () => Promise<void>): void;
}

/** The current project, with a menu of others and of actions. */
export function ProjectMenu({
  workspace,
  projects,
  project,
  opened,
  page,
  ask,
  attempt,
}: ProjectMenuProps): ReactElement {
  const { projects: texts } = useTexts();

  async function create(): Promise<void> {
    const name = await ask({ title: texts.create, action: texts.createAction, field: { label: texts.name } });
    if (name === undefined) return;
    const { id } = await workspace.addProject(name);
    go({ page: 'chat', project: id });
  }

  async function rename(): Promise<void> {
    if (project === undefined) return;
    const field = { label: texts.name, value: project.name };
    const name = await ask({ title: texts.renameTitle, action: texts.rename, field });
    if (name === undefined) return;
    await renameProject(workspace.storages.app, project, name);
    await workspace.reload();
  }

  async function remove(): Promise<void> {
    if (project === undefined || opened === undefined) return;
    const answer = await ask({
      title: texts.removeTitle(project.name),
      text: texts.removeText,
      action: texts.removeAction,
      isDangerous: true,
    });
    if (answer === undefined) return;
    await removeAllOf(opened, workspace);
    go({ page: 'chat' });
  }

  return (
    <div className="project">
      <label htmlFor="project">{texts.label}</label>
      <select id="project" value={project?.id} onChange={({ target }) => go({ page, project: target.value })}>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <details className="more">
        <summary>{texts.manage}</summary>
        <button type="button" onClick={() => attempt(create)}>
          {texts.create}
        </button>
        <button type="button" onClick={() => attempt(rename)}>
          {texts.rename}
        </button>
        {projects.length > 1 && (
          <button type="button" onClick={() => attempt(remove)}>
            {texts.remove}
          </button>
        )}
      </details>
    </div>
  );
}

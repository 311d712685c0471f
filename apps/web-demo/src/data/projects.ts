import { isObject, isUtensilError } from '@utensil/core';
import type { RecordStore } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';

/** A project: its own files, conversations and settings. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const key = (id: string): readonly string[] => ['projects', id];

/** All projects, oldest first; at least one. */
export async function listProjects(app: RecordStore): Promise<readonly Project[]> {
  const projects: Project[] = [];
  for await (const record of app.list(['projects'])) {
    if (!('problem' in record) && isProject(record.value)) projects.push(record.value);
  }
  if (projects.length === 0) return [await addProject(app, { id: 'first', name: currentTexts().projects.firstName })];
  return projects.sort((a, b) => a.createdAt - b.createdAt);
}

/** Adds a project unless one with this id exists. */
export async function addProject(
  app: RecordStore,
  { id = crypto.randomUUID(), name }: { readonly id?: string; readonly name: string },
): Promise<Project> {
  const project = { id, name, createdAt: Date.now() };
  const known = await app.get(key(id)).catch(async (error: unknown) => {
    if (!isUtensilError(error, 'record_corrupt')) throw error;
    const aside = await app.setAside(key(id)); // only its name is lost: the project's data does not depend on it
    return aside === undefined ? app.get(key(id)) : undefined; // another tab has written it meanwhile
  });
  if (isProject(known?.value)) return known.value;
  await app.put(key(id), project);
  return project;
}

/** True if a project exists. One with an unreadable record does. */
export async function hasProject(app: RecordStore, id: string): Promise<boolean> {
  const record = await app.get(key(id)).catch(() => 'unreadable' as const);
  return record !== undefined;
}

/** Renames a project. */
export async function renameProject(app: RecordStore, project: Project, name: string): Promise<void> {
  await app.put(key(project.id), { ...project, name });
}

/**
 * Removes a project from the list. Its data is removed with {@link RecordStore.remove} of its own records and files.
 */
export async function removeProject(app: RecordStore, id: string): Promise<void> {
  await app.remove(key(id));
}

function isProject(value: unknown): value is Project & { [key: string]: string | number } {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['name'] === 'string' &&
    typeof value['createdAt'] === 'number'
  );
}

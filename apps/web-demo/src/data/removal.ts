import { deleteThread, listThreads } from '@utensil/core/thread';
import { removeProject } from './projects.ts';
import { forgetTitle } from './titles.ts';
import type { OpenProject, Workspace } from './workspace.ts';

/** Removes a project with all its data. */
export async function removeAllOf(opened: OpenProject, { storages, reload }: Workspace): Promise<void> {
  const { project, records, files, storage, drafts } = opened;
  for (const { id } of await listThreads(records)) await deleteThread(records, id);
  for (const { path } of (await files.list('/')).entries) await files.remove(path, { recursive: true });
  await storage.history.purge();
  drafts.forget();
  await forgetTitle(records);
  await removeProject(storages.app, project.id); // from here on, no tab stores edits of its files
  await opened.fileEdits().forget();
  await reload();
}

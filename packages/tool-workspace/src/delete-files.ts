import { defineTool, messageForModel, result } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import * as z from 'zod/mini';
import { optionalFlag, pathsField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { asOne, filesAt, previewOf } from './preview.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    paths: pathsField('The paths of the files and directories.'),
    recursive: optionalFlag('Also deletes non-empty directories with their contents. Default false.'),
  }),
);

interface Deletion {
  readonly path: string;
  readonly recursive: boolean;
}

/** Deletes files and directories, and reports the result of each. */
export const deleteFilesTool = /* @__PURE__ */ defineTool({
  name: 'delete_files',
  title: 'Delete files',
  description: 'Deletes files and directories of a project. Reports the result of each.',
  input,
  ui: { subtitle: 'Removes files and directories', icon: '🗑️', category: 'files' },
  effects: 'destructive',
  requires: { projects },
  execute: async ({ project: name, paths, recursive = false }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const results: { readonly text: string; readonly isError: boolean }[] = [];
    for (const given of paths) results.push(await tryToDelete(files, given, recursive));
    const failed = results.filter(({ isError }) => isError);
    const status = say('deletedStatus', { count: results.length - failed.length, total: results.length });
    const lines = [...failed, ...results.filter(({ isError }) => !isError)].map(({ text }) => text);
    return result({ output: [...lines, status].join('\n'), isError: failed.length > 0 });
  },
  preview: async ({ project: name, paths, recursive = false }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const all = paths.map(readPath);
    return previewOf(files, all, async (staged) => {
      for (const path of all) await remove(staged, { path, recursive }).catch(() => undefined); // it will report the error then
    });
  },
  render: { title: ({ paths }) => `Delete ${(Array.isArray(paths) ? paths : []).join(', ')}` },
});

async function tryToDelete(files: Files, given: string, recursive: boolean) {
  try {
    const path = readPath(given);
    return { text: await asOne(files, (staged) => remove(staged, { path, recursive })), isError: false };
  } catch (error) {
    return { text: say('notDeleted', { path: given, problem: messageForModel(error) }), isError: true };
  }
}

async function remove(files: Files, { path, recursive }: Deletion): Promise<string> {
  if (path === '/') throw fileError('EINVAL', path, { hint: say('rootPath') });
  const inside = (await files.stat(path))?.kind === 'directory' ? await filesAt(files, path) : undefined;
  if (inside !== undefined && inside.length > 0 && !recursive)
    throw fileError('ENOTEMPTY', path, { hint: say('directoryNeedsFlag', { count: inside.length }) });
  await files.remove(path, { recursive });
  const what = inside === undefined ? '' : say('deletedDirectory', { count: inside.length });
  return say('deleted', { path: shownPath(path), what });
}

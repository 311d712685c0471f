import { defineTool } from '@utensil/core';
import { effectAt } from '@utensil/core/files';
import * as z from 'zod/mini';
import { optionalFlag, pathField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { previewOf } from './preview.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    from: pathField('The path of the file or directory, from the root of the project.'),
    to: pathField('Its new path, including the name. Missing parent directories are created.'),
    overwrite: optionalFlag('Replaces an existing file. Default false.'),
  }),
);

/** Moves and renames files and directories. */
export const moveTool = /* @__PURE__ */ defineTool({
  name: 'move',
  title: 'Move',
  description: 'Moves or renames a file or directory of a project.',
  input,
  ui: { subtitle: 'Moves and renames files', icon: '🚚', category: 'files' },
  effects: ({ from, to, overwrite }) => (overwrite === true ? 'destructive' : effectAt('write', [from, to])),
  requires: { projects },
  execute: async ({ project: name, from, to, overwrite = false }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const [source, target] = [readPath(from), readPath(to)];
    await files.move(source, target, { overwrite });
    return say('moved', { from: shownPath(source), to: shownPath(target) });
  },
  preview: async ({ project: name, from, to, overwrite = false }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const [source, target] = [readPath(from), readPath(to)];
    return previewOf(files, [source, target], (staged) => staged.move(source, target, { overwrite }));
  },
  render: { title: 'Move {from} to {to}' },
});

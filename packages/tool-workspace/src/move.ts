import { defineTool, isUtensilError, option } from '@utensil/core';
import type { Files } from '@utensil/core';
import { effectAt, isWithin } from '@utensil/core/files';
import * as z from 'zod/mini';
import { optionalFlag, pathField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { asOne, previewOf } from './preview.ts';
import type { LinkedMove, LinkPlan } from './links/move-with-links.ts';
import { openProject, projects } from './projects.ts';
import type { OpenProject } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    from: pathField('The path of the file or directory, from the root of the project.'),
    to: pathField('Its new path, including the name. Missing parent directories are created.'),
    overwrite: optionalFlag('Replaces an existing file. Default false.'),
  }),
);

/**
 * Moves and renames files and directories. With the option `updateLinks`, links in Markdown notes still lead to the
 * same files afterwards.
 */
export const moveTool = /* @__PURE__ */ defineTool({
  name: 'move',
  title: 'Move',
  description: ({ updateLinks }) => say(updateLinks ? 'moveDescriptionLinks' : 'moveDescription'),
  input,
  options: {
    updateLinks: option.boolean({
      label: 'Update links in notes',
      description: 'After a move, changes links in all Markdown notes of the project so that they still work.',
      default: false,
    }),
  },
  ui: { subtitle: 'Moves and renames files', icon: '🚚', category: 'files' },
  effects: ({ from, to, overwrite }) => (overwrite === true ? 'destructive' : effectAt('write', [from, to])),
  requires: { projects },
  execute: async ({ project: name, from, to, overwrite = false }, { updateLinks }, { host, signal }) => {
    const project = await openProject(host.projects, name);
    const move = { from: readPath(from), to: readPath(to), overwrite };
    const moved = say('moved', { from: shownPath(move.from), to: shownPath(move.to) });
    const plan = updateLinks ? await planOf(project, move, signal) : undefined;
    if (plan !== undefined) return `${moved}\n${await applied(plan, project.files)}`;
    await project.files.move(move.from, move.to, { overwrite });
    return moved;
  },
  preview: async ({ project: name, from, to, overwrite = false }, { updateLinks }, { host }) => {
    const project = await openProject(host.projects, name);
    const move = { from: readPath(from), to: readPath(to), overwrite };
    const plan = updateLinks ? await planOf(project, move) : undefined;
    const others = (plan?.notes ?? []).filter((path) => !isWithin(move.from, path));
    return previewOf(project.files, [move.from, move.to, ...others], async (staged) =>
      plan === undefined ? staged.move(move.from, move.to, { overwrite }) : plan.apply(staged),
    );
  },
  render: { title: 'Move {from} to {to}' },
});

/** Links to update; undefined if there is nothing to move. */
async function planOf(project: OpenProject, move: LinkedMove, signal?: AbortSignal): Promise<LinkPlan | undefined> {
  if (move.from === move.to || (await project.files.stat(move.from)) === undefined) return undefined;
  const { planMove } = await import('./links/move-with-links.ts');
  return planMove(project, move, signal);
}

/** In one commit, if that is possible: not for files of several mounts. */
async function applied(plan: LinkPlan, files: Files): Promise<string> {
  try {
    return await asOne(files, (staged) => plan.apply(staged));
  } catch (error) {
    if (!isUtensilError(error, 'EXDEV')) throw error;
    return plan.apply(files);
  }
}

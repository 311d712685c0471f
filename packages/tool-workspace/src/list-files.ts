import { defineTool } from '@utensil/core';
import type { Files } from '@utensil/core';
import * as z from 'zod/mini';
import { ignoredField, optionalNumber, optionalPaths, projectField } from './fields.ts';
import { cutRulesNote } from './ignore-rules.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import type { FileReader } from './reader.ts';
import { say } from './texts.ts';
import { treeLines, treeOf } from './tree.ts';
import { walkFiles } from './walk.ts';
import type { Walk } from './walk.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    paths: optionalPaths('The directories. Default: the whole project.'),
    max_depth: optionalNumber('Number of levels. Default: as many as fit.', 1, 32),
    include_ignored: ignoredField(),
  }),
);

/** Lines of one directory's tree. */
const mostLines = 400;

/** Lists directories as a tree; deeper levels that do not fit are summarized by file type. */
export const listFilesTool = /* @__PURE__ */ defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'Lists the files of a project as a tree. Directories that do not fit are summarized by file type. Omits files ignored by .gitignore.',
  input,
  ui: { subtitle: 'Lists files and directories', icon: '📁', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async ({ project: name, paths = ['.'], ...rest }, _options, { host, signal }) => {
    const { files, reader } = await openProject(host.projects, name);
    const { max_depth: depth = 32, include_ignored: includeIgnored = false } = rest;
    const directories = (paths.length === 0 ? ['.'] : paths).map(readPath);
    const trees: string[] = [];
    for (const directory of directories) {
      await refuseUnlisted(files, directory);
      trees.push(await listed(reader, { under: directory, includeIgnored, signal }, depth));
    }
    return trees.join('\n\n');
  },
  render: { title: ({ paths }) => `List ${Array.isArray(paths) && paths.length > 0 ? paths.join(', ') : 'all files'}` },
});

/** Throws `ENOENT` or `ENOTDIR` unless the path is a directory. */
async function refuseUnlisted(files: Files, directory: string): Promise<void> {
  if (directory !== '/') await files.list(directory, { limit: 1 });
}

async function listed(reader: FileReader, walk: Walk, depth: number): Promise<string> {
  const paths: string[] = [];
  const cutRules = new Set<string>();
  for await (const some of walkFiles(reader, { ...walk, cutRules })) paths.push(...some);
  const path = shownPath(walk.under);
  const notes = cutRulesNote(cutRules);
  if (paths.length === 0) return [say('noFiles', { path }), ...notes].join('\n');
  const lines = treeLines(treeOf(walk.under, paths), { depth, mostLines });
  return [`${path}/`, ...lines, ...notes].join('\n');
}

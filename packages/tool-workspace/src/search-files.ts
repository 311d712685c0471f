import { defineTool, option, UtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import * as z from 'zod/mini';
import { ignoredField, optionalFlag, optionalNumber, optionalPaths, optionalText, projectField } from './fields.ts';
import { readPath } from './path.ts';
import { lineFinder } from './pattern/line-finder.ts';
import { openProject, projects } from './projects.ts';
import { shownMatches } from './search/report.ts';
import { scanProject } from './search/scan.ts';
import type { Place } from './search/scan.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    pattern: z
      .string()
      .check(
        z.describe(
          'A regular expression to find in lines, for example \\bload\\w*Settings\\( . No look-around, no back-references.',
        ),
      ),
    literal: optionalFlag('Treats the pattern as literal text. Default false.'),
    ignore_case: optionalFlag('Ignores case. Default false.'),
    paths: optionalPaths('Only in these files and directories. Default: the whole project.'),
    glob: optionalText('Only in files that match: *.ts, src/**/*.{ts,tsx}.'),
    output: z.optional(
      z
        .enum(['content', 'files', 'count'])
        .check(z.describe('content (default): the lines; files: the paths; count: how many lines of each file match.')),
    ),
    context: optionalNumber('Lines before and after each match. Default 2.', 0, 20),
    limit: optionalNumber('At most this many paths, for files and count. Default 200.', 1, 5_000),
    include_ignored: ignoredField(),
  }),
);

/**
 * Searches the contents of files line by line, in linear time for any pattern.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { projectsOf, searchFilesTool } from '@utensil/tool-workspace';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'call Ada\nbuy milk\n');
 * const host = { projects: projectsOf({ notes: { files } }) };
 * const { output } = await runTool(searchFilesTool, { pattern: 'b\\w+ milk', output: 'count' }, { host });
 * console.log(output); // notes/todo.md: 1 …
 * ```
 */
export const searchFilesTool = /* @__PURE__ */ defineTool({
  name: 'search_files',
  title: 'Search files',
  description:
    'Searches the contents of the files of a project, line by line, for a regular expression or a text. Shows the lines with their numbers, or the files with counts if there are many. Omits binary files and files ignored by .gitignore.',
  input,
  options: {
    maxMegabytes: option.number({
      label: 'Maximum megabytes of a file',
      description: 'Larger files are listed but not searched.',
      default: 8,
      min: 1,
      max: 200,
      step: 1,
    }),
  },
  ui: { subtitle: 'Finds lines by text or regular expression', icon: '🔎', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async (given, { maxMegabytes }, { host, signal }) => {
    const { pattern, output = 'content', include_ignored: includeIgnored = false } = given;
    if (pattern === '') throw new UtensilError('EINVAL', say('emptyPattern'));
    const { literal = false, ignore_case: ignoreCase = false } = given;
    const finder = lineFinder(pattern, { literal, ignoreCase });
    const project = await openProject(host.projects, given.project);
    const found = await scanProject(project, {
      finder,
      places: await placesOf(project.files, given.paths),
      ...(given.glob !== undefined && { glob: given.glob.replaceAll('\\', '/') }),
      includeIgnored,
      isOneEnough: output === 'files',
      context: given.context ?? 2,
      mostSnippets: output === 'content' ? 31 : 0,
      maxFileBytes: maxMegabytes * 1_000_000,
      signal,
    });
    return shownMatches(found, { pattern, output, limit: given.limit ?? 200, includeIgnored, maxMegabytes });
  },
  render: { title: 'Search {pattern}', status: (output) => lastLine(String(output)) },
});

/** Directories and files to search. Throws `ENOENT` for a missing path. */
async function placesOf(files: Files, paths: readonly string[] = []): Promise<readonly Place[]> {
  if (paths.length === 0) return [{ path: '/', kind: 'directory' }];
  return Promise.all(
    paths.map(async (given) => {
      const path = readPath(given);
      const found = await files.stat(path);
      return found ?? (path === '/' ? { path, kind: 'directory' } : files.read(path)); // listing it reports the problem
    }),
  );
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

import { defineTool } from '@utensil/core';
import { matchGlob } from '@utensil/core/files';
import * as z from 'zod/mini';
import { ignoredField, optionalNumber, projectField } from './fields.ts';
import { shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import type { OpenProject } from './projects.ts';
import { cutRulesNote } from './ignore-rules.ts';
import { say } from './texts.ts';
import { createYielder, matchingPaths, walkFiles } from './walk.ts';
import type { Walk } from './walk.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    pattern: z
      .string()
      .check(
        z.describe(
          'Without a slash, a name at any depth: *.ts. With one, a path from the root: src/**/*.{ts,tsx}. * is any part of a name, ** any directories.',
        ),
      ),
    limit: optionalNumber('At most this many files. Default 1000.', 1, 10_000),
    include_ignored: ignoredField(),
  }),
);

/** Finds files by their paths. The first results are reported as progress before the search is complete. */
export const globFilesTool = /* @__PURE__ */ defineTool({
  name: 'glob_files',
  title: 'Find files',
  description:
    'Finds the files of a project whose paths match a pattern, in the order of paths. Leaves out what .gitignore leaves out.',
  input,
  ui: { subtitle: 'Finds files by name', icon: '🗃️', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  async *execute(
    { pattern, limit = 1_000, include_ignored: includeIgnored = false, project: name },
    _options,
    context,
  ) {
    const project = await openProject(context.host.projects, name);
    const found: string[] = [];
    const cutRules = new Set<string>();
    const walk = { under: '/', includeIgnored, signal: context.signal, cutRules };
    for await (const paths of globProject(project, pattern, walk)) {
      if (found.length === 0) yield { found: paths.map(shownPath) };
      found.push(...paths);
      if (found.length > limit) break;
    }
    if (found.length === 0) return [say('noGlobMatches', { pattern }), ...cutRulesNote(cutRules)].join('\n');
    const shown = found.slice(0, limit).map(shownPath);
    if (found.length > limit) shown.push(say('moreGlobMatches', { shown: limit }));
    shown.push(...cutRulesNote(cutRules));
    return shown.join('\n');
  },
  render: { title: 'Find {pattern}' },
});

/** Matching files of a project in batches, in path order. */
async function* globProject(
  { reader }: OpenProject,
  pattern: string,
  walk: Walk,
): AsyncGenerator<readonly string[], void> {
  const matches = matchGlob(pattern.replaceAll('\\', '/'));
  const turns = { pause: createYielder(), ...(walk.signal && { signal: walk.signal }) };
  for await (const paths of walkFiles(reader, walk)) {
    const matching = await matchingPaths(paths, matches, turns);
    if (matching.length > 0) yield matching;
  }
}

import { defineTool, UtensilError } from '@utensil/core';
import { effectAt } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { abridgeText, editFile, readBlocks } from '@utensil/core/edit';
import type { EditedFile, Replacement } from '@utensil/core/edit';
import * as z from 'zod/mini';
import { unchanged } from './changed.ts';
import { optionalFlag, optionalText, pathField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { previewOf, versionOf } from './preview.ts';
import { openProject, projects } from './projects.ts';
import { savedDifferently } from './saved.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    path: pathField(),
    old_text: optionalText('The text to replace, exactly as in the file. It must occur only once.'),
    new_text: optionalText('The replacement; empty to remove the text.'),
    replace_all: optionalFlag('Replaces all occurrences of old_text. Default false.'),
    diff: optionalText(
      'Alternative: several replacements at once, each as <<<<<<< SEARCH, the lines to replace, =======, the new lines, >>>>>>> REPLACE.',
    ),
    version: optionalText('The version that read_files showed: nothing is done if the file has changed since.'),
  }),
);

type Given = {
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  readonly replace_all?: boolean | undefined;
  readonly diff?: string | undefined;
};

/**
 * Replaces parts of a text file: all replacements of a call, or none. A text without an exact match is searched again
 * ignoring line breaks, blanks, quotes and indentation; ambiguous matches are refused. See `@utensil/core/edit`.
 */
export const editFileTool = /* @__PURE__ */ defineTool({
  name: 'edit_file',
  title: 'Edit a file',
  description:
    'Replaces text in a file: old_text by new_text, or several texts at once with SEARCH/REPLACE blocks in diff. Encoding and line breaks are preserved.',
  input,
  ui: { subtitle: 'Changes parts of files', icon: '✏️', category: 'files' },
  effects: ({ path }) => effectAt('write', [path]),
  requires: { projects },
  execute: async ({ project: name, path: given, version, ...rest }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const path = readPath(given);
    const replacements = replacementsOf(rest);
    const edited = await edit(files, { path, version, replacements });
    const note = await savedDifferently(files, path, edited.text);
    return [shownEdit(edited), ...(note === undefined ? [] : [note])].join('\n');
  },
  preview: async ({ project: name, path: given, version, ...rest }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const path = readPath(given);
    return previewOf(files, [path], (staged) => edit(staged, { path, version, replacements: replacementsOf(rest) }));
  },
  render: { title: 'Edit {path}', status: (output) => String(output).split('\n', 1).join('') },
});

/** The requested replacements. Throws `EINVAL`, and `invalid_input` for an invalid diff. */
function replacementsOf({
  old_text: oldText,
  new_text: newText,
  replace_all: all,
  diff,
}: Given): readonly Replacement[] {
  const isByText = oldText !== undefined || newText !== undefined;
  if (diff !== undefined && diff !== '') {
    if (isByText && `${oldText ?? ''}${newText ?? ''}` !== '') throw new UtensilError('EINVAL', say('editNeedsOne'));
    return readBlocks(diff);
  }
  if (oldText === undefined || newText === undefined) throw new UtensilError('EINVAL', say('editNeeds'));
  return [{ oldText, newText, ...(all !== undefined && { all }) }];
}

interface Edit {
  readonly path: string;
  readonly version?: string | undefined;
  readonly replacements: readonly Replacement[];
}

async function edit(files: Files, { path, version, replacements }: Edit): Promise<EditedFile> {
  const found = await unchanged(files, path, version);
  const ifMatch = version === undefined ? undefined : found?.etag;
  return editFile(files, path, { replacements, ...(ifMatch !== undefined && { ifMatch }) });
}

/** Limits of the excerpt: number of places, lines of each, and characters of a line. */
const [mostPlaces, mostLines, mostCharacters] = [5, 30, 1_000];

/** Result of an edit with the new lines, so that the model knows the actual content. */
function shownEdit({ path, etag, text, places }: EditedFile): string {
  const lines = text.split(/\r?\n/);
  const head = say('edited', { path: shownPath(path), count: places.length, version: versionOf(etag) });
  const shown = places.slice(0, mostPlaces).flatMap(({ newLines: { start, end } }) => {
    const last = Math.min(end, start + mostLines - 1);
    const title = say('editedLines', { first: start, last });
    const written = lines.slice(start - 1, last).map((line) => abridgeText(line, mostCharacters));
    return [title, ...written.map((line, index) => `${start + index} | ${line}`)];
  });
  return [head, ...shown].join('\n');
}

import { defineTool, option, result, host } from '@utensil/core';
import { effectAt } from '@utensil/core/files';
import { commandEffect, commandStatus, commandTitle, fileCommands, viewLimit } from '@utensil/core/file-commands';
import { filesystemInput } from './input.ts';
import { filesystemTexts } from './texts.ts';

const commands = /* @__PURE__ */ fileCommands({
  texts: filesystemTexts,
  root: '/',
  leftOut: [],
  readOnly: '/memories',
});

const describeTool = ({
  noLineNumbers,
}: {
  readonly noLineNumbers: boolean;
}): string => `Lists, reads and changes the files of the project. /memories is read-only.
- view: a file${noLineNumbers ? '' : ' with its lines numbered'}, or only the lines of view_range; or a directory, two levels deep, without hidden items. Output is truncated after ${viewLimit.toLocaleString('en')} characters, with a note on how to continue; a binary file is shown as a data URL, or by its type, size and SHA-256 if that is shorter.
- view-all: several of them at once.
- create: a new file (or, with overwrite, in place of one), with the directories above it.
- str_replace: replaces text that occurs once in a file.
- insert: inserts lines after a line.
- append: adds to the end of a file, or makes it.
- delete: a file, or a directory with everything in it.
- rename: renames or moves a file or directory.
- copy: copies a file.
- mkdir: makes a directory.`;

/**
 * The files of the project for the model: it lists, reads, writes, edits, moves, copies and deletes them. `/memories`
 * is read-only.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { filesystemTool } from '@utensil/tool-filesystem';
 *
 * const host = { files: createFiles(memoryStorage()) };
 * const { output } = await runTool(
 *   filesystemTool,
 *   { command: 'create', path: '/notes/todo.md', file_text: 'buy milk\n' },
 *   { host },
 * );
 * console.log(output); // File created successfully at: /notes/todo.md
 * ```
 */
export const filesystemTool = /* @__PURE__ */ defineTool({
  name: 'filesystem',
  title: 'Filesystem',
  description: describeTool,
  input: filesystemInput,
  options: {
    noLineNumbers: option.boolean({
      label: 'No line numbers',
      description: 'Shows files without line numbers.',
      default: false,
    }),
  },
  ui: { subtitle: 'Lists, reads and changes files', icon: '📁', category: 'files' },
  effects: (input) => effectAt(commandEffect(input), [input.path, input.old_path, input.new_path]),
  requires: { files: host.files },
  execute: async (input, { noLineNumbers }, { host }) => {
    const { text, isError } = await commands.run(input, { files: host.files, lineNumbers: !noLineNumbers });
    return result({ output: text, isError });
  },
  preview: (input, _options, { host }) => commands.preview(input, { files: host.files }),
  render: { title: commandTitle, status: commandStatus },
});

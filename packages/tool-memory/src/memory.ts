import { defineTool, option, result, host } from '@utensil/core';
import { commandEffect, commandStatus, commandTitle, fileCommands, viewLimit } from '@utensil/core/file-commands';
import { memoryInput } from './input.ts';
import { memoryPrompt } from './prompt.ts';
import { leftOut, root } from './root.ts';
import { memoryTexts } from './texts.ts';

const commands = /* @__PURE__ */ fileCommands({ texts: memoryTexts, root, leftOut });

const description = `Remembers across conversations, in text files below ${root}.
- view: a file with its lines numbered, or only the lines of view_range; or a directory, two levels deep, without hidden items and node_modules. Output is truncated after ${viewLimit.toLocaleString('en')} characters, with a note on how to continue.
- view-all: several of them at once.
- create: a new file (or, with overwrite, in place of one).
- str_replace: replaces text that occurs once in a file.
- insert: inserts lines after a line.
- append: adds to the end of a file, or makes it.
- delete: a file, or a directory with everything in it.
- rename: renames or moves a file or directory.
- copy: copies a file.
- mkdir: makes a directory.`;

/**
 * A memory of files below `/memories`: the vendor's own memory tool on Anthropic, an ordinary tool with a prompt
 * elsewhere.
 *
 * @example
 * ```ts
 * import { createFiles, createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { memoryTool } from '@utensil/tool-memory';
 *
 * const host = { files: createFiles(memoryStorage()) };
 * const toolset = resolveToolset(createRegistry([memoryTool]), emptySettings, host);
 * console.log(toolset.definitions({ api: 'anthropic-messages' }));
 * ```
 */
export const memoryTool = /* @__PURE__ */ defineTool({
  name: 'memory',
  title: 'Memory',
  description,
  input: memoryInput,
  options: {
    useSystemPrompt: option.boolean({
      label: 'Use the system prompt',
      description: "Uses Utensil's tool and prompt on Anthropic too, instead of the built-in memory tool.",
      default: false,
    }),
    noHandHolding: option.boolean({
      label: 'No instructions',
      description: 'Omits the usage instructions from the prompt; the files are still listed.',
      default: false,
    }),
  },
  ui: { subtitle: 'Remembers across conversations', icon: '🧠', category: 'memory' },
  effects: commandEffect,
  requires: { files: host.files },
  native: {
    'anthropic-messages': ({ useSystemPrompt }) =>
      useSystemPrompt ? undefined : { type: 'memory_20250818', name: 'memory' },
  },
  prompt: ({ noHandHolding }, { host }) => memoryPrompt(host.files, { withUsage: !noHandHolding }),
  execute: async (input, _options, { host }) => {
    const { text, isError } = await commands.run(input, { files: host.files });
    return result({ output: text, isError });
  },
  preview: (input, _options, { host }) => commands.preview(input, { files: host.files }),
  render: { title: commandTitle, status: commandStatus },
});

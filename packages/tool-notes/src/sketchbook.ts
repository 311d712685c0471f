import { defineTool, isUtensilError, option, host } from '@utensil/core';
import type { Files } from '@utensil/core';
import * as z from 'zod/mini';

const input = z.object({
  note: z.string().check(z.minLength(1), z.describe('What to note, as Markdown.')),
  name: z.optional(
    z
      .string()
      .check(
        z.regex(/^[A-Za-z0-9_-]{1,64}$/),
        z.describe('Name of another sketchbook of this chat: letters, digits, - and _. Default: the unnamed one.'),
      ),
  ),
});

/**
 * Append-only notes of one chat, in `/sketchbook/{chat}.md` or `/sketchbook/{chat}-{name}.md`.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { sketchbookTool } from '@utensil/tool-notes';
 *
 * const host = { files: createFiles(memoryStorage()) };
 * const { output } = await runTool(sketchbookTool, { note: 'Plan: rhyme first.' }, { host });
 * if (output !== 'noted.') throw new Error('unexpected');
 * ```
 */
export const sketchbookTool = /* @__PURE__ */ defineTool({
  name: 'sketchbook',
  title: 'Sketchbook',
  description:
    'Writes a note for the rest of this chat: an idea, a draft, a finding. Notes are appended and never changed.',
  input: z.toJSONSchema(input),
  options: {
    noStore: option.boolean({
      label: 'Store nothing',
      description: 'Notes stay in the chat, where the model wrote them, and are not written to a file.',
      default: false,
    }),
  },
  ui: { subtitle: 'Notes of a chat', icon: '📓', category: 'notes' },
  effects: (_input, { noStore }) => (noStore ? 'read' : 'write'),
  requires: { files: host.files },
  execute: async ({ note, name }, { noStore }, { host, threadId, runId }) => {
    if (!noStore) await add(host.files, sketchbookPath(threadId ?? runId, name), note.trimEnd());
    return 'noted.';
  },
  render: { title: 'Note {name}' },
});

/** Path of the notes of a chat. The id may be any text: characters invalid in file names are percent-encoded. */
export function sketchbookPath(threadId: string, name?: string): string {
  const suffix = name === undefined ? '' : `-${name}`;
  return `/sketchbook/${encodeURIComponent(threadId.toWellFormed())}${suffix}.md`;
}

/** Appends atomically, so that concurrent notes are both stored, with a separator between them. */
async function add(files: Files, path: string, note: string): Promise<void> {
  try {
    await files.write(path, `${note}\n`, { create: 'must' });
  } catch (error) {
    if (!isUtensilError(error, 'EEXIST')) throw error;
    await files.append(path, `\n---\n\n${note}\n`);
  }
}

import { commandInput, commandNames } from '@utensil/core/file-commands';
import * as z from 'zod/mini';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));

/** Input of the memory tool: the commands of the vendor's own memory tool, and ours. */
export const memoryInput = commandInput(
  z.toJSONSchema(
    z.object({
      command: z.enum(commandNames),
      path: text('For all commands except rename, copy and view-all: a path in /memories.'),
      paths: z.optional(z.array(z.string()).check(z.describe('For view-all: the paths.'))),
      view_range: z.optional(
        z.array(z.int()).check(z.describe('For view of a file: the first and last line, from 1; -1 is the end.')),
      ),
      file_text: text('For create: the whole text. For append: the text to add.'),
      old_str: text('For str_replace: the text to replace, exactly as in the file. It must occur only once.'),
      new_str: text('For str_replace: the replacement. Omit it to remove the text.'),
      insert_line: z.optional(
        z.int().check(z.describe('For insert: the line after which to insert; 0 is before the first.')),
      ),
      insert_text: text('For insert: one or more whole lines.'),
      old_path: text('For rename and copy: the source path.'),
      new_path: text('For rename and copy: the target path.'),
      overwrite: z.optional(
        z.boolean().check(z.describe('For create, rename and copy: replaces an existing file. Default false.')),
      ),
    }),
  ),
);

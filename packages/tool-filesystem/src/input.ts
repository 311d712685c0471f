import { commandInput, commandNames } from '@utensil/core/file-commands';
import * as z from 'zod/mini';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));

/** The input of the filesystem tool. */
export const filesystemInput = commandInput(
  z.toJSONSchema(
    z.object({
      command: z.enum(commandNames),
      path: text('For all commands except rename, copy and view-all: an absolute path; the root is /.'),
      paths: z.optional(z.array(z.string()).check(z.describe('For view-all: the paths.'))),
      view_range: z.optional(
        z.array(z.int()).check(z.describe('For view of a file: the first and last line, from 1; -1 is the end.')),
      ),
      file_text: text(
        'For create: the whole text, or a data URL (data:<mime>;base64,<data>) for a binary file. For append: the text to add.',
      ),
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

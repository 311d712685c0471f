import { isUtensilError } from '../../base/errors.ts';
import type { Files, FileStat } from '../files.ts';
import { notAsRead } from '../rearrange.ts';
import { decodeFile, encodeText } from '../text.ts';
import { editSource } from './edit-text.ts';
import type { EditedText, Replacement } from './replacement.ts';

/** Content of a file before and after an edit. */
export interface EditedBytes extends EditedText {
  /** In the file's own encoding, with its byte order mark. */
  readonly bytes: Uint8Array;
}

/** Like `editText`, on the content of a file. Throws `binary_file` if it is not text, `EILSEQ` for a lone surrogate. */
export function editBytes(bytes: Uint8Array, replacements: readonly Replacement[], path: string): EditedBytes {
  const { text, format } = decodeFile(bytes, path);
  const edited = editSource({ text, hasMark: format.bom }, replacements, path);
  return { ...edited, bytes: encodeText(edited.text, format, path) };
}

/** Options of {@link editFile}. */
export interface FileEdit {
  readonly replacements: readonly Replacement[];
  /** Only if the file still has this etag; else `ECONFLICT`. */
  readonly ifMatch?: string;
}

/** The part of `Files` that an edit needs. */
export type EditableFiles = Pick<Files, 'read' | 'write'>;

/** A file after an edit. */
export interface EditedFile extends FileStat, EditedText {}

/**
 * Like `editText`, for a file: in its encoding, on its current text. If someone else changes the file meanwhile, the
 * edit is repeated on their version, unless `ifMatch` says otherwise. Also throws as `readText` and `write` do.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { editFile, readBlocks } from '@utensil/core/edit';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes.md', 'buy milk\nsleep\n');
 * const blocks = '<<<<<<< SEARCH\nbuy milk\n=======\nbuy bread\n>>>>>>> REPLACE';
 * const { text } = await editFile(files, '/notes.md', { replacements: readBlocks(blocks) });
 * console.log(text); // buy bread, sleep
 * ```
 */
export async function editFile(
  files: EditableFiles,
  path: string,
  { replacements, ifMatch }: FileEdit,
): Promise<EditedFile> {
  for (let attempt = 1; ; attempt++) {
    const { bytes: before, etag, path: shown } = await files.read(path);
    if (ifMatch !== undefined && ifMatch !== etag) throw notAsRead(shown);
    const { bytes, ...edited } = editBytes(before, replacements, path);
    try {
      const stat = await files.write(path, bytes, { create: 'never', ifMatch: etag });
      return { ...stat, ...edited };
    } catch (error) {
      if (!isUtensilError(error, 'ECONFLICT') || ifMatch !== undefined || attempt === mostAttempts) throw error;
    }
  }
}

/** Another change landed before each attempt. */
const mostAttempts = 100;

import type { FileEntry, Files, FileListing } from '../files.ts';
import { matchGlob } from '../glob/glob.ts';
import { parentOf, resolvePath } from '../paths.ts';
import { walk } from '../walk.ts';

/** Selection of files. */
export interface FileSelection {
  /** A directory, or one file. Default: `/`. */
  readonly under?: string;
  /** As for {@link matchGlob}; a pattern with a slash is relative to `under`. Default: all files. */
  readonly glob?: string;
}

/** Options of {@link findFiles}. */
export interface FindOptions extends FileSelection {
  /** Maximum number of files per page. Default: 1,000. */
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/**
 * Lists the files whose paths match a pattern, in path order. Throws `EINVAL` for the pattern, and as `list` does for
 * `under`.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { findFiles } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'buy milk');
 * console.log((await findFiles(files, { glob: '*.md' })).entries.map(({ path }) => path)); // [ '/notes/todo.md' ]
 * ```
 */
export async function findFiles(files: Files, options: FindOptions = {}): Promise<FileListing> {
  const { limit = 1000, after, signal, ...selection } = options;
  const count = Math.max(Math.trunc(limit), 1);
  const entries: FileEntry[] = [];
  for await (const entry of selectFiles(files, selection, after)) {
    signal?.throwIfAborted();
    if (entries.length === count) return { entries, next: entries.at(-1)?.path ?? entry.path };
    entries.push(entry);
  }
  return { entries };
}

/** Yields the selected files in order. */
export async function* selectFiles(
  files: Files,
  { under = '/', glob = '**' }: FileSelection,
  after?: string,
): AsyncGenerator<FileEntry, void> {
  const top = resolvePath(under);
  const found = await files.stat(top);
  const isFile = found?.kind === 'file';
  const matches = matchGlob(glob, { under: isFile ? parentOf(top) : top });
  const entries = isFile ? [found] : walk(files, top, after === undefined ? {} : { after });
  for await (const entry of entries) if (entry.kind === 'file' && matches(entry.path)) yield entry;
}

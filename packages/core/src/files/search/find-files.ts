import type { FileEntry, Files, FileListing } from '../files.ts';
import { matchGlob } from '../glob/glob.ts';
import { parentOf, resolvePath } from '../paths.ts';
import { walk } from '../walk.ts';

/** Which files are meant. */
export interface FileSelection {
  /** A directory, or one file; default `/`. */
  readonly under?: string;
  /** As {@link matchGlob}; with a slash in it, it begins at `under`. Default: all files. */
  readonly glob?: string;
}

/** What {@link findFiles} may be told. */
export interface FindOptions extends FileSelection {
  /** At most this many files a page; default 1,000. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/**
 * The files whose paths match a pattern, in the order of paths. Throws `EINVAL` for the pattern, and as `list` does for
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

/** The selected files, in order. */
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

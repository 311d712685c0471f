import { isUtensilError, UtensilError } from '../../base/errors.ts';
import type { FileEntry, Files } from '../files.ts';
import { selectFiles } from './find-files.ts';
import type { FileSelection } from './find-files.ts';
import { inParallel } from '../in-parallel.ts';
import { indexOfLiteral, toLiteral } from './literal.ts';
import { searchText } from './search-text.ts';
import type { TextHit, TextQuery } from './search-text.ts';
import { decodeText } from '../../base/text-encoding.ts';
import { adaptLines } from '../replace-text.ts';

/** Options of {@link searchFiles}. */
export interface SearchOptions extends FileSelection {
  /** A literal, not a pattern. Line breaks match those of the file. */
  readonly text: string;
  readonly ignoreCase?: boolean;
  /** Context lines before and after each hit. Default: 0; maximum: 20. */
  readonly context?: number;
  /** Maximum number of hits. Default: 1,000. */
  readonly limit?: number;
  /** Files larger than this are not read. Default: 4 MiB. */
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

/** A line that contains the start of a match. */
export interface SearchHit extends TextHit {
  readonly type: 'hit';
  readonly path: string;
}

/** A file that was not searched, with the reason. */
export interface SearchSkip {
  readonly type: 'skipped';
  readonly path: string;
  readonly size: number;
  readonly reason: 'too-large' | 'unreadable';
}

/** Item of a search. If it stopped at its limit, the last item says so. */
export type SearchResult = SearchHit | SearchSkip | { readonly type: 'more' };

const filesAtOnce = 24;

/**
 * Searches files for a text, in path order; one hit per line. Files that are not text, or vanish meanwhile, are
 * skipped. Regular expressions are not supported: on the host, a model's could run forever. Throws `EINVAL` for an
 * empty text or a bad pattern, as `list` does for `under`, and the reason of the signal.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { searchFiles } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'call Ada\nbuy milk\n');
 * for await (const found of searchFiles(files, { text: 'milk', glob: '*.md' })) {
 *   if (found.type === 'hit') console.log(`${found.path}:${found.line}: ${found.text}`); // /notes/todo.md:2: buy milk
 * }
 * ```
 */
export async function* searchFiles(files: Files, options: SearchOptions): AsyncGenerator<SearchResult, void> {
  const { text, ignoreCase = false, context = 0, limit = 1000, maxFileBytes = 4 * 1024 * 1024, signal } = options;
  if (text === '') throw new UtensilError('EINVAL', 'EINVAL: invalid argument. The text to find is empty.');
  const hits = Math.max(Math.trunc(limit), 1);
  // one more than allowed, to detect that there are more
  const query = { text, ignoreCase, context: Math.min(Math.max(Math.trunc(context), 0), 20), limit: hits + 1 };
  const search = createSearch(query);
  const breathe = createBreather();
  const work = async (entry: FileEntry): Promise<readonly SearchResult[]> => {
    signal?.throwIfAborted();
    await breathe();
    if (entry.size > maxFileBytes) return [skipped(entry, 'too-large')];
    const bytes = await readIfThere(files, entry.path);
    if (bytes === 'unreadable') return [skipped(entry, bytes)];
    return bytes === undefined ? [] : search(bytes).map((hit) => ({ type: 'hit', path: entry.path, ...hit }));
  };

  let count = 0;
  for await (const results of inParallel(selectFiles(files, options), filesAtOnce, work)) {
    signal?.throwIfAborted();
    for (const result of results) {
      if (result.type === 'hit' && ++count > hits) return yield { type: 'more' };
      yield result;
    }
  }
}

function skipped({ path, size }: FileEntry, reason: SearchSkip['reason']): SearchSkip {
  return { type: 'skipped', path, size, reason };
}

/** Content of a file; undefined if it is gone or has become a directory. */
async function readIfThere(files: Files, path: string): Promise<Uint8Array | 'unreadable' | undefined> {
  try {
    return (await files.read(path)).bytes;
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) return undefined;
    if (isUtensilError(error, 'EACCES', 'content_damaged')) return 'unreadable';
    throw error;
  }
}

/** Searches contents as bytes before decoding them, because most do not contain the text. */
function createSearch(query: TextQuery): (bytes: Uint8Array) => readonly TextHit[] {
  const lines = query.text.split(/\r?\n/).sort((left, right) => right.length - left.length);
  const [longest = ''] = lines;
  const sought = query.ignoreCase || longest === '' ? undefined : toLiteral(new TextEncoder().encode(longest));
  return (bytes) => {
    if (sought !== undefined && !isUtf16(bytes) && indexOfLiteral(bytes, sought) === -1) return [];
    const decoded = decodeText(bytes);
    if (decoded === undefined) return [];
    const hits = searchText(decoded.text, query);
    const adapted = lines.length > 1 && hits.length === 0 ? adaptLines(query.text, decoded.text) : query.text;
    return adapted === query.text ? hits : searchText(decoded.text, { ...query, text: adapted });
  };
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Yields to other tasks from time to time, aborts included, even if the storage never waits. */
function createBreather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < 30) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve);
    });
    last = performance.now();
  };
}

import type { FileEntry, Files, ListOptions } from './files.ts';

/** More levels than any path has. */
const allLevels = 1000;

/** Yields the contents of a directory in order, page by page. */
export async function* walk(
  files: Pick<Files, 'list'>,
  path: string,
  { depth = allLevels, ...options }: ListOptions = {},
): AsyncGenerator<FileEntry, void> {
  let page = await files.list(path, { ...options, depth });
  yield* page.entries;
  while (page.next !== undefined) {
    page = await files.list(path, { ...options, depth, after: page.next });
    yield* page.entries;
  }
}

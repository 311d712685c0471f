import { isUtensilError } from '@utensil/core';
import type { FileEntry, Files, UtensilError } from '@utensil/core';
import { useMemo } from 'react';
import { useReading } from './use-reading.ts';
import type { ListSource } from './use-reading.ts';

/** Known state of a directory. */
export interface FilesState {
  /** Undefined until it has been read, and if the directory is missing. Unchanged entries keep their identity. */
  readonly entries?: readonly FileEntry[];
  /** Error of the last read, for example `ENOENT` for a missing directory. */
  readonly problem?: UtensilError;
}

/**
 * Entries of a directory (default `/`), read again after every change in or below it.
 *
 * @example
 * ```ts
 * import type { Files } from '@utensil/core';
 * import { useFiles } from '@utensil/react';
 * import { createElement } from 'react';
 * import type { ReactNode } from 'react';
 *
 * function Notes({ files }: { readonly files: Files }): ReactNode {
 *   const { entries = [], problem } = useFiles(files, '/notes');
 *   if (problem !== undefined) return createElement('p', { role: 'alert' }, problem.message);
 *   return createElement('ul', null, ...entries.map(({ path }) => createElement('li', { key: path }, path)));
 * }
 * ```
 */
export function useFiles(files: Pick<Files, 'list' | 'watch'> | undefined, path = '/'): FilesState {
  const source = useMemo(() => files && directory(files, path), [files, path]);
  const { items, problem } = useReading(source);
  return useMemo(() => {
    const isGone = isUtensilError(problem, 'ENOENT') || isUtensilError(problem, 'ENOTDIR');
    return { ...(items && !isGone && { entries: items }), ...(problem && { problem }) };
  }, [items, problem]);
}

function directory(files: Pick<Files, 'list' | 'watch'>, path: string): ListSource<FileEntry> {
  return {
    keyOf: (entry) => entry.path,
    async read() {
      const first = await files.list(path);
      const entries = [...first.entries];
      for (let after = first.next; after !== undefined;) {
        const page = await files.list(path, { after });
        entries.push(...page.entries);
        after = page.next;
      }
      return entries;
    },
    watch(listener) {
      try {
        return files.watch(path, () => listener());
      } catch {
        return () => {}; // reading reports a problem with the path
      }
    },
  };
}

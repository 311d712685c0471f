import { messageOf, isUtensilError, UtensilError } from '@utensil/core';
import type { FileEntry, Files } from '@utensil/core';
import { useEffect, useState } from 'react';

/** What is in a directory, as far as it is known. */
export interface FilesState {
  /** Absent until it has been read. */
  readonly entries?: readonly FileEntry[];
  /** Why it could not be read: `ENOENT`, where there is no such directory. */
  readonly problem?: UtensilError;
}

/**
 * What is in a directory (default `/`), read again whenever something changes in it or below it. What comes late, of
 * another directory or from before a change, is not shown.
 */
export function useFiles(files: Files, path = '/'): FilesState {
  const [state, setState] = useState<{ readonly of: readonly [Files, string]; readonly found: FilesState }>();
  useEffect(() => {
    let latest = 0;
    const read = async (): Promise<void> => {
      const mine = ++latest;
      const found = await readEntries(files, path);
      if (mine === latest) setState({ of: [files, path], found });
    };
    const stop = files.watch(path, () => void read());
    void read();
    return () => {
      latest = -1;
      stop();
    };
  }, [files, path]);
  const isCurrent = state?.of[0] === files && state.of[1] === path;
  return isCurrent ? state.found : nothing;
}

const nothing: FilesState = {};

async function readEntries(files: Files, path: string): Promise<FilesState> {
  const entries: FileEntry[] = [];
  try {
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const listing = await files.list(path, after === undefined ? {} : { after });
      entries.push(...listing.entries);
      after = listing.next;
    }
    return { entries };
  } catch (error) {
    return { problem: isUtensilError(error) ? error : new UtensilError('EIO', messageOf(error), { cause: error }) };
  }
}

import { UtensilError } from '@utensil/core';
import type { Files, FileStat } from '@utensil/core';
import { shownPath } from './path.ts';
import { versionOf } from './preview.ts';
import { say } from './texts.ts';

/** The current file, if it is still the version that the model read. Throws `ECONFLICT` otherwise. */
export async function unchanged(files: Files, path: string, expected?: string): Promise<FileStat | undefined> {
  const found = await files.stat(path);
  if (expected === undefined) return found;
  const shown = shownPath(path);
  if (found === undefined) throw new UtensilError('ECONFLICT', say('goneMeanwhile', { path: shown, expected }));
  const version = versionOf(found.etag);
  if (expected !== version && expected !== found.etag)
    throw new UtensilError('ECONFLICT', say('changedMeanwhile', { path: shown, version, expected }));
  return found;
}

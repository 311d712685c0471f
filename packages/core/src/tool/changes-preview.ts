import type { Preview } from './tool.ts';
import type { Files } from '../files/files.ts';
import { effectAt } from '../files/instructions.ts';

/** What a preview of changes is made of. */
export interface PreviewedChanges {
  readonly files: Pick<Files, 'keepsVersions'>;
  /** The paths of the call; what is below them may change too. */
  readonly paths: readonly string[];
  readonly changes: Preview['changes'];
}

/**
 * The preview of a call that changes nothing but files. It can be undone if it only makes files, or if the storage keeps
 * versions; never where files are obeyed later (see {@link effectAt}).
 */
export function changesPreview({ files, paths, changes }: PreviewedChanges): Preview {
  const isHarmless = effectAt('write', [...paths, ...changes.map(({ path }) => path)]) === 'write';
  const onlyMakes = changes.length > 0 && changes.every(({ before }) => before === undefined);
  const undoable = isHarmless && (onlyMakes || files.keepsVersions === true);
  return { type: 'changes', changes, ...(undoable && { undoable }) };
}

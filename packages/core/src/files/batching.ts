import type { Files, ProjectFiles } from './files.ts';

/** Files that support batches. */
export type BatchFiles = Files & Pick<ProjectFiles, 'batch'>;

/** True if these files support batches: all changes or none. */
export function hasBatch(files: Files): files is BatchFiles {
  return 'batch' in files && typeof files.batch === 'function';
}

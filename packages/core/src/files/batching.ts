import type { Files, ProjectFiles } from './files.ts';

/** Files whose changes can be made together. */
export type BatchFiles = Files & Pick<ProjectFiles, 'batch'>;

/** True if changes of these files can be made together: all, or none. */
export function hasBatch(files: Files): files is BatchFiles {
  return 'batch' in files && typeof files.batch === 'function';
}

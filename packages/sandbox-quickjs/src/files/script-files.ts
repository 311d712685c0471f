import { createFiles } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import { createCommitStage } from '@utensil/core/storage';
import { filesDriver } from './files-driver.ts';
import { fsFunctions } from './fs-functions.ts';
import type { FsOptions } from './fs-functions.ts';
import type { FsFunctions } from './fs-names.ts';

/** Files of one run. Its changes are invisible to others until they are committed. */
export interface ScriptFiles {
  readonly functions: FsFunctions;
  /** Commits all changes if everything that the script has read is unchanged. Throws `ECONFLICT`. */
  keep(): Promise<void>;
}

/** Creates a stage over the project's files. Each file is looked up once, so that the script's view does not change. */
export function scriptFiles({ files, ...options }: FsOptions): ScriptFiles {
  const stage = createCommitStage(filesDriver(files));
  return {
    functions: fsFunctions({ ...options, files: createFiles(stage.driver) }),
    async keep() {
      if (stage.isEmpty()) return;
      const committed = await stage.commit(Date.now());
      if (committed.ok) return;
      const hint = 'It was changed while the script ran, so nothing was written. Run the script again.';
      throw fileError('ECONFLICT', committed.conflict.path, { hint, retryable: true });
    },
  };
}

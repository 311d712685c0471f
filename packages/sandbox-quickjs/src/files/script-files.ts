import { createFiles } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import { createCommitStage } from '@utensil/core/storage';
import type { HostFunction } from '../sandbox.ts';
import { filesDriver } from './files-driver.ts';
import { fsFunctions } from './fs-functions.ts';
import type { FsOptions } from './fs-functions.ts';

/** The files of one run: what it writes, nobody sees until it is kept. */
export interface ScriptFiles {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** Makes all changes, if everything that the script has seen is still so. Throws `ECONFLICT`. */
  keep(): Promise<void>;
}

/** A stage over the project's files. Each is looked up once, so that what the script sees stays the same. */
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

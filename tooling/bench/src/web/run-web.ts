import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromiumPath } from '../../../browser/chromium.ts';

const app = join(import.meta.dirname, '../../../../apps/web-demo');

/** Has the web demo measure itself, in a process of its own that prints as it goes. Throws where that fails. */
export function runWeb(): void {
  const browser = chromiumPath();
  const { status } = spawnSync(
    process.execPath,
    ['--conditions=@utensil/source', join(app, 'measure.ts'), ...(browser === undefined ? [] : [browser])],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('The web demo could not be measured.');
}

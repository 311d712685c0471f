import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

/** Folder whose dependencies are measured. */
export const home = join(root, 'tooling/bench');

/** Builds packages, so that they are measured as published. */
export function buildPackages(...names: readonly string[]): void {
  const filters = names.map((name) => `--filter=@utensil/${name}`);
  const turbo = join(root, 'node_modules/.bin/turbo');
  const { status, error } = spawnSync(turbo, ['run', 'build', '--output-logs=errors-only', ...filters], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0)
    throw new Error(`${names.join(', ')} could not be built, so there is nothing to measure.`, { cause: error });
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Files of the repository, including new ones that are not ignored. Throws if git cannot list them, or there are none. */
export function trackedFiles(root: string): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (listed.status !== 0) throw new Error(`git cannot list the files: ${listed.error?.message ?? listed.stderr}`);
  const paths = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  if (paths.length === 0) throw new Error(`There are no files in ${root}.`);
  return paths.sort();
}

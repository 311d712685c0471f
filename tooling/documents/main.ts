// Checks what the Markdown documents claim, and that no tracked file says what is unwanted.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { unfounded } from './citations.ts';
import { findFalseClaims } from './claims.ts';
import { findUnwanted } from './words.ts';

const root = process.cwd();

await reportProblems(() =>
  trackedFiles().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    if (text.includes('\0')) return [];
    const unwanted = findUnwanted(path, text);
    if (!path.endsWith('.md')) return unwanted;
    const untrue = unfounded(text, read).map((problem) => `${path}: ${problem}`);
    return [...unwanted, ...findFalseClaims({ root, path }), ...untrue];
  }),
);

function read(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

/** What is in the repository, or would be after `git add`. */
function trackedFiles(): string[] {
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

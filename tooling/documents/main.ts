// Checks what the Markdown documents claim, and that no tracked file says what is unwanted.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { trackedFiles } from '../workspace/tracked.ts';
import { unfounded } from './citations.ts';
import { findFalseClaims } from './claims.ts';
import { findUnwanted } from './words.ts';

const root = process.cwd();

await reportProblems(() =>
  trackedFiles(root).flatMap((path) => {
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

// Errors that belong to no test, such as a rejection that nobody awaited: Vitest fails for them, and its report leaves
// them out.

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter } from 'vitest/node';

const path = '.results/stray-errors.txt';

/** Adds a line for each of them to a file, which several runs share. */
export function strayErrorsReporter(root: string): Required<Pick<Reporter, 'onTestRunEnd'>> {
  const file = join(root, path);
  return {
    onTestRunEnd(_, errors) {
      mkdirSync(dirname(file), { recursive: true });
      for (const { message } of errors) appendFileSync(file, `${message.split('\n')[0]}\n`);
    },
  };
}

export function readStrayErrors(root: string): readonly string[] {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

export function forgetStrayErrors(root: string): void {
  rmSync(join(root, path), { force: true });
}

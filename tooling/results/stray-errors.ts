// Errors outside of tests, such as unhandled rejections: Vitest fails because of them, but omits them from its report.

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter } from 'vitest/node';

const path = '.results/stray-errors.txt';

/** Appends a line per error to a file shared by several runs. */
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

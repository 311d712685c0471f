// A small workspace for a test of the tooling, outside of the repository, gone when the test ends.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from './checks/checks.ts';

/** Makes `files` (a string as it is, anything else as JSON), and copies `copies` from the repository. */
export function fixture(files: Readonly<Record<string, unknown>>, copies: readonly string[] = []): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'utensil-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // Without .gitignore a linter walks into node_modules, and takes all the memory of the machine.
  for (const path of ['.gitignore', ...copies]) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

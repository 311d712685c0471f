import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserCommand } from 'vitest/node';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Code of a module of the workspace with its imports, for tabs and workers that tests open. */
    bundled(path: string): Promise<string>;
  }
}

export const bundled: BrowserCommand<[path: string]> = async (_context, path) => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../..', path)],
    write: false,
    bundle: true,
    format: 'esm',
    conditions: ['@utensil/source'],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
};

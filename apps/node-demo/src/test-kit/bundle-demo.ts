import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled program, for the tests of this run. */
    readonly demoBundle: string;
  }
}

const app = join(import.meta.dirname, '../..');
const sandbox = join(app, '../../packages/sandbox-quickjs');

/** Bundles the program until all tests are over, because a bundle starts in half the CPU time of its sources. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Next to the sources: the program finds its sample there, and `.gitignore` has the name.
  const folder = await mkdtemp(join(app, '.utensil-demo-bundle-'));
  const bundled = await rolldown({
    // The sandbox looks for its worker next to itself.
    input: { main: join(app, 'src/main.ts'), 'node/worker': join(sandbox, 'src/node/worker.ts') },
    platform: 'node',
    resolve: { conditionNames: ['@utensil/source', 'node', 'import', 'module', 'default'] },
    logLevel: 'silent',
  });
  await bundled.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await bundled.close();
  await linkEngine(folder);
  project.provide('demoBundle', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/** The sandbox resolves the WebAssembly of its engine as a file of a package. */
async function linkEngine(folder: string): Promise<void> {
  const wasm = createRequire(join(sandbox, 'package.json')).resolve('quickjs-wasi/quickjs.wasm');
  await mkdir(join(folder, 'node_modules'));
  await symlink(dirname(wasm), join(folder, 'node_modules/quickjs-wasi'));
}

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled program, for the tests of this run. */
    readonly demoBundle: string;
    /** A folder for the programs' keys. */
    readonly demoKeys: string;
  }
}

const app = join(import.meta.dirname, '../..');
const program = join(app, 'src/program.ts');
const sandbox = join(app, '../../packages/sandbox-quickjs');

/** Bundles the program until all tests are over: a bundle starts in 40% of the CPU time of its sources. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Next to the sources: the program finds its sample there, and `.gitignore` has the name.
  const folder = await mkdtemp(join(app, '.utensil-demo-bundle-'));
  await bundle({ main: program }, folder); // not `main.ts`: it only enables the compile cache, which tests enable by an environment variable
  await bundle({ 'node/worker': join(sandbox, 'src/node/worker.ts') }, folder); // the sandbox looks for it next to itself
  await linkEngine(folder);
  const keys = await mkdtemp(join(tmpdir(), 'utensil-demo-keys-'));
  project.provide('demoBundle', folder);
  project.provide('demoKeys', keys);
  return async () => {
    for (const each of [folder, keys]) await rm(each, { recursive: true, force: true });
  };
}

async function bundle(input: Readonly<Record<string, string>>, dir: string): Promise<void> {
  const bundled = await rolldown({
    input,
    platform: 'node',
    resolve: { conditionNames: ['@utensil/source', 'node', 'import', 'module', 'default'] },
    logLevel: 'silent',
  });
  await bundled.write({
    dir,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    // One chunk for the modules of a start, instead of seventy. The program stays outside: it awaits chunks that import this one, which
    // would deadlock.
    codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: (path) => path !== program }] },
    minify: true,
  });
  await bundled.close();
}

/** The sandbox resolves the WebAssembly of its engine as a file of a package. */
async function linkEngine(folder: string): Promise<void> {
  const wasm = createRequire(join(sandbox, 'package.json')).resolve('quickjs-wasi/quickjs.wasm');
  await mkdir(join(folder, 'node_modules'));
  await symlink(dirname(wasm), join(folder, 'node_modules/quickjs-wasi'));
}

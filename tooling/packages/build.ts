// Builds the package in the current directory: each entry of its `exports` as an ES module with source maps (rolldown),
// and declarations beside it (tsc). docs/decisions/0031-how-packages-are-built.md says why the files are cut as they are.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { readManifest, sourceEntries } from '../workspace/manifest.ts';
import { type Facade, facadesOf } from './facades.ts';

const folder = process.cwd();
const root = join(import.meta.dirname, '../..');
const manifest = readManifest(folder);
const entries = sourceEntries(manifest);

// Bundlers keep all of a package with side effects, so there facades are files for nothing.
const facades = manifest.sideEffects === true ? [] : readFacades(entries['index']);

rmSync(join(folder, 'dist'), { recursive: true, force: true });
await bundle();
process.exitCode = declare();

function readFacades(entry: string | undefined): readonly Facade[] {
  return entry === undefined ? [] : facadesOf(readFileSync(join(folder, entry), 'utf8'), 'index');
}

async function bundle(): Promise<void> {
  const { index, ...others } = entries;
  const whole = facades.length > 0 || index === undefined ? others : entries;
  const texts = new Map(facades.map(({ name, text }) => [join(folder, 'src', `${name}.ts`), text]));
  const inputs = [
    ...Object.entries(whole).map(([name, path]) => [name, join(folder, path)]),
    ...facades.map(({ name }) => [name, join(folder, 'src', `${name}.ts`)]),
  ];
  const bundled = await rolldown({
    input: Object.fromEntries(inputs),
    cwd: folder,
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    transform: { target: 'es2023' },
    experimental: { chunkOptimization: false }, // it puts what is shared into chunks that are loaded later
    plugins: [
      { name: 'facades', resolveId: (id) => (texts.has(id) ? id : undefined), load: (id) => texts.get(id) },
    ],
  });
  await bundled.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true, // the sources are in the package
    comments: { legal: true, annotation: true, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
  if (facades.length > 0) {
    const lines = facades.map(({ name }) => `export * from './${name}.js';\n`);
    writeFileSync(join(folder, 'dist/index.js'), lines.join(''));
  }
}

/** Only what an entry reaches is declared, so no test is. Other packages are seen as a user sees them: built. */
function declare(): number {
  const config = join(folder, 'node_modules/.tsconfig.build.json');
  mkdirSync(join(config, '..'), { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        declarationMap: true,
        emitDeclarationOnly: true,
        customConditions: [],
        lib: ['ES2023', 'ES2024.String', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        rootDir: join(folder, 'src'),
        outDir: join(folder, 'dist'),
      },
      files: Object.values(entries).map((entry) => join(folder, entry)),
    }),
  );
  const { status, error } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

// Builds the package in the current directory: each entry of its `exports` as one ES module with a source map (tsup),
// and declarations beside it (tsc, because tsup's own cannot work with TypeScript 7).

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsup';
import { readManifest, sourceEntries } from '../workspace/manifest.ts';

const folder = process.cwd();
const root = join(import.meta.dirname, '../..');
const entries = sourceEntries(readManifest(folder));

await build({
  entry: entries,
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  external: [/^node:/],
  config: false,
  dts: false,
  sourcemap: true,
  splitting: true,
  clean: true,
  silent: true,
});

// Only what an entry reaches is declared, so no test is. Other packages are seen as a user sees them: built.
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
const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
if (tsc.error) throw tsc.error;
process.exitCode = tsc.status ?? 1;

// Builds the package in the current directory: each entry of its `exports` as an ES module with source maps (rolldown),
// and, without `--code`, declarations next to it (tsc). docs/decisions/0031-how-packages-are-built.md explains the split into files.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join, relative } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { readManifest, sourceEntries } from '../workspace/manifest.ts';
import { type Facade, facadesOf, isOfParts } from './facades.ts';

/** A facade of an entry. */
interface OfEntry extends Facade {
  readonly entry: string;
}

const folder = process.cwd();
const root = join(import.meta.dirname, '../..');
const entries = sourceEntries(readManifest(folder));

const facades = Object.entries(entries).flatMap(([name, path]) => readFacades(name, path));

rmSync(join(folder, 'dist'), { recursive: true, force: true });
const isSplit = facades.length > 0 && (await bundle(entries, 'generate')).some(({ isDynamicEntry }) => isDynamicEntry);
if (isSplit) await bundleWithFacades();
else await bundle(entries, 'write');
process.exitCode = process.argv.includes('--code') ? 0 : declare();

/** The facades of the root, and of an entry that names its parts itself. */
function readFacades(entry: string, path: string): readonly OfEntry[] {
  const text = readFileSync(join(folder, path), 'utf8');
  const found = entry === 'index' || isOfParts(text) ? facadesOf(text, entry) : [];
  return found.map((facade) => ({ ...facade, entry }));
}

/** Takes entries apart, where a part of the package is loaded later. */
async function bundleWithFacades(): Promise<void> {
  const taken = new Set(facades.map(({ entry }) => entry));
  const others = Object.entries(entries).filter(([entry]) => !taken.has(entry));
  await bundle(Object.fromEntries([...others, ...facades.map(({ name }) => [name, `./src/${name}.ts`])]), 'write');
  for (const entry of taken) {
    const own = facades.filter((facade) => facade.entry === entry);
    const lines = own.map(({ name }) => `export * from './${basename(name)}.js';\n`);
    writeFileSync(join(folder, `dist/${entry}.js`), lines.join(''));
  }
}

async function bundle(
  input: Readonly<Record<string, string>>,
  how: 'generate' | 'write',
): Promise<readonly OutputChunk[]> {
  const texts = new Map(facades.map(({ name, text }) => [`./src/${name}.ts`, text]));
  const bundled = await rolldown({
    input,
    cwd: folder,
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    transform: { target: 'es2023' },
    experimental: { chunkOptimization: false }, // it puts what is shared into chunks that are loaded later
    plugins: [
      {
        name: 'facades',
        resolveId: (id) => (texts.has(id) ? join(folder, id) : undefined),
        load: (path) => texts.get(`./${relative(folder, path)}`),
      },
    ],
    onLog(level, log, tell) {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log); // those of entries are kept: `use client`
    },
  });
  const { output } = await bundled[how]({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true, // the sources are in the package
    comments: { legal: true, annotation: true, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
  return output.filter((each): each is OutputChunk => each.type === 'chunk');
}

/** Writes declarations of the modules that an entry imports, so of no test. Imports of other packages resolve to built files. */
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
  const { status, error } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--singleThreaded', '-p', config], {
    stdio: 'inherit',
  });
  if (error) throw error;
  return status ?? 1;
}

import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { ImportSet } from './sets.ts';

/** Bytes. */
export interface Bundled {
  readonly minified: number;
  /** Of each file on its own, as a server sends it. */
  readonly gzipped: number;
}

/** What loads at once, and what loads when it is first needed. */
export interface Bundle {
  readonly eager: Bundled;
  readonly lazy: Bundled;
}

/** Bundles a program for a browser, from the packages as they are published. */
export async function bundle({ program, without = [] }: ImportSet, folder: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: folder },
    absWorkingDir: folder,
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: without.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'error',
  });
  const atOnce = loadedAtOnce(metafile);
  const sizes = outputFiles.map(({ path, contents }) => ({
    isEager: atOnce.has(path.slice(folder.length + 1)),
    minified: contents.length,
    gzipped: gzipSync(contents, { level: 9 }).length,
  }));
  return { eager: sum(sizes.filter(({ isEager }) => isEager)), lazy: sum(sizes.filter(({ isEager }) => !isEager)) };
}

/** The output files that the entry imports, and those that they import. */
function loadedAtOnce({ outputs }: Metafile): ReadonlySet<string> {
  const files = new Set(['out/stdin.js']);
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) files.add(path);
  }
  return files;
}

function sum(sizes: readonly Bundled[]): Bundled {
  return sizes.reduce(
    (all, { minified, gzipped }) => ({ minified: all.minified + minified, gzipped: all.gzipped + gzipped }),
    {
      minified: 0,
      gzipped: 0,
    },
  );
}

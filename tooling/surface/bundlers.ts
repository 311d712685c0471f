// Bundles a program like an app for browsers: minified, split at each import(), and compressed per file.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type OutputChunk, rolldown } from 'rolldown';

/** Bytes, minified and gzipped. */
export interface Weight {
  /** Loaded at once. */
  readonly eager: number;
  /** Loaded on demand. */
  readonly lazy: number;
}

export interface BundlerOptions {
  /** Folder whose dependencies the program imports. */
  readonly folder: string;
  /** Packages that its user has anyway. */
  readonly without?: readonly string[];
  /** Conditions of `exports`, in addition to the bundler's own. */
  readonly conditions?: readonly string[];
}

export type Bundler = (program: string, options: BundlerOptions) => Promise<Weight>;

interface File {
  readonly name: string;
  readonly isEntry: boolean;
  /** Files that it imports statically. */
  readonly imports: readonly string[];
  readonly content: string | Uint8Array;
}

/**
 * Both split code. Of a file, esbuild keeps the exports that any part of an app uses, rolldown only those that the part
 * itself uses.
 */
export const bundlers = {
  async esbuild(program, { folder, without = [], conditions = [] }) {
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
      conditions: ['module', ...conditions],
      external: without.flatMap((name) => [name, `${name}/*`]),
      logLevel: 'silent',
    });
    const files = outputFiles.map(({ path, contents }): File => {
      const name = path.slice(folder.length + 1);
      const imports = metafile.outputs[name]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
      return { name, isEntry: name === 'out/stdin.js', imports: imports.map(({ path }) => path), content: contents };
    });
    return weigh(files);
  },
  async rolldown(program, { folder, without = [], conditions = [] }) {
    const path = join(folder, 'program.js');
    const bundled = await rolldown({
      input: path,
      cwd: folder,
      platform: 'browser',
      resolve: { conditionNames: [...conditions, 'import', 'module', 'browser', 'default'] },
      external: (id) => without.some((name) => `${id}/`.startsWith(`${name}/`)),
      onLog(_, { code, message }) {
        if (code === 'UNRESOLVED_IMPORT' || code === 'MISSING_EXPORT') throw new Error(message);
      },
      plugins: [
        {
          name: 'program',
          resolveId: (id) => (id === path ? id : undefined),
          load: (id) => (id === path ? program : undefined),
        },
      ],
    });
    const { output } = await bundled.generate({ format: 'esm', minify: true });
    await bundled.close();
    const chunks = output.filter((each): each is OutputChunk => each.type === 'chunk');
    return weigh(
      chunks.map(({ fileName, isEntry, imports, code }) => ({ name: fileName, isEntry, imports, content: code })),
    );
  },
} satisfies Readonly<Record<string, Bundler>>;

export type BundlerName = keyof typeof bundlers;

function weigh(files: readonly File[]): Weight {
  const eager = new Set(files.filter(({ isEntry }) => isEntry));
  for (const { imports } of eager) for (const file of files) if (imports.includes(file.name)) eager.add(file);
  const sum = (some: readonly File[]): number =>
    some.reduce((total, { content }) => total + gzipSync(content, { level: 9 }).length, 0);
  return { eager: sum([...eager]), lazy: sum(files.filter((file) => !eager.has(file))) };
}

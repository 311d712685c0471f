import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { sourceCondition } from '../manifest.ts';
import { isPublished, readMembers } from '../members.ts';

/** An entry point of a published package. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  readonly dependencies: readonly string[];
  /** What it leaves to its user to install. */
  readonly peers: readonly string[];
}

export function readEntries(root: string): Entry[] {
  const entries = readMembers(root)
    .filter(isPublished)
    .flatMap(({ folder, manifest: { name, exports = {}, dependencies = {}, peerDependencies = {} } }) =>
      Object.entries(exports).flatMap(([entry, target]): Entry[] => {
        const path = typeof target === 'string' ? undefined : target[sourceCondition];
        if (path === undefined) return [];
        const source = join(root, folder, path);
        return [
          {
            name: join(name, entry),
            source,
            dependencies: Object.keys(dependencies),
            peers: Object.keys(peerDependencies),
          },
        ];
      }),
    );
  if (entries.length === 0) throw new Error(`There are no published packages in ${root}.`);
  return entries;
}

export interface Bundle {
  /** Bytes, minified and gzipped, of what loads at once. */
  readonly eager: number;
  /** And of what loads when it is first needed. */
  readonly lazy: number;
  readonly code: string;
  /** The packages of others that are in it. */
  readonly others: readonly string[];
}

interface BundleOptions {
  readonly root: string;
  readonly entries: readonly Entry[];
  readonly peers: readonly string[];
}

/** What a program gets that imports the sources of `entries`, and has `peers` elsewhere. */
export async function bundle(program: string, { root, entries, peers }: BundleOptions): Promise<Bundle> {
  const inside = entries.filter(({ name }) => !peers.some((peer) => `${name}/`.startsWith(`${peer}/`)));
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root },
    absWorkingDir: root,
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    alias: Object.fromEntries(inside.map(({ name, source }) => [name, source])),
    external: ['node:*', ...peers.flatMap((name) => [name, `${name}/*`])],
    logLevel: 'silent',
  });
  const bytes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).length]));
  const sum = (files: readonly string[]): number =>
    files.reduce((total, file) => total + (bytes.get(join(root, file)) ?? 0), 0);
  const eager = sum(reach(metafile, ['import-statement']));
  const all = reach(metafile, ['import-statement', 'dynamic-import']);
  const code = outputFiles.map(({ text }) => text).join('\n');
  return { eager, lazy: sum(all) - eager, code, others: othersIn(metafile, all) };
}

/** The output files that the program loads by imports of these kinds. */
function reach({ outputs }: Metafile, kinds: readonly string[]): string[] {
  const files = new Set(['out/stdin.js']);
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kinds.includes(kind) && external !== true) files.add(path);
  }
  return [...files];
}

function othersIn({ outputs }: Metafile, files: readonly string[]): string[] {
  const names = files
    .flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}))
    .flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(`/${path}`)?.[1] ?? []);
  return [...new Set(names)].sort();
}

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { sourceCondition } from '../workspace/manifest.ts';
import { isPublished, readMembers } from '../workspace/members.ts';

/** An entry point of a published package. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  readonly dependencies: readonly string[];
  /** Peers that its user installs. */
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
  /** Bytes that load at once, minified and gzipped. */
  readonly eager: number;
  /** Bytes that load on demand. */
  readonly lazy: number;
  /** Number of exported values. */
  readonly names: number;
  readonly code: string;
  /** Third-party packages in it. */
  readonly others: readonly string[];
}

interface BundleOptions {
  readonly root: string;
  readonly entries: readonly Entry[];
  readonly peers: readonly string[];
}

/** Small third-party packages with separate entries for browsers and Node.js. */
const ofOnePlatform: readonly string[] = ['cross-spawn', 'pkce-challenge'];

/** Bundle of a program that imports the sources of `entries`, without `peers`. */
export async function bundle(program: string, { root, entries, peers }: BundleOptions): Promise<Bundle> {
  const inside = entries.filter(({ name }) => !peers.some((peer) => `${name}/`.startsWith(`${peer}/`)));
  const bundled = await rolldown({
    input: 'program',
    cwd: root,
    platform: 'neutral',
    resolve: {
      alias: Object.fromEntries(inside.map(({ name, source }) => [`${name}$`, source])),
      mainFields: ['module', 'main'],
    },
    external: (id) =>
      id.startsWith('node:') || ofOnePlatform.includes(id) || peers.some((name) => `${id}/`.startsWith(`${name}/`)),
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? join(root, 'program.js') : undefined),
        load: (id) => (id === join(root, 'program.js') ? program : undefined),
      },
    ],
    onLog(_, { code, message }) {
      if (code === 'UNRESOLVED_IMPORT' || code === 'MISSING_EXPORT') throw new Error(message);
    },
  });
  const { output } = await bundled.generate({ format: 'esm', minify: true });
  await bundled.close();
  const chunks = output.filter((each): each is OutputChunk => each.type === 'chunk');
  const eager = reach(chunks, ({ imports }) => imports);
  const all = reach(chunks, ({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const size = sum(eager);
  const names = chunks.find(({ isEntry }) => isEntry)?.exports.length ?? 0;
  return {
    eager: size,
    lazy: sum(all) - size,
    names,
    code: chunks.map(({ code }) => code).join('\n'),
    others: othersIn(all),
  };
}

function sum(chunks: readonly OutputChunk[]): number {
  return chunks.reduce((total, { code }) => total + gzipSync(code).length, 0);
}

/** Chunks that the program loads through the followed imports. */
function reach(chunks: readonly OutputChunk[], importsOf: (chunk: OutputChunk) => readonly string[]): OutputChunk[] {
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const chunk of found) {
    for (const name of importsOf(chunk)) {
      const next = chunks.find(({ fileName }) => fileName === name);
      if (next !== undefined) found.add(next);
    }
  }
  return [...found];
}

function othersIn(chunks: readonly OutputChunk[]): string[] {
  const names = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

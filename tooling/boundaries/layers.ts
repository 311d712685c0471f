// Allowed imports, as data: rules.ts reads this table, and knows no package by name.
// Tests may import more: any entry that the manifest declares, Vitest, Node.js and the tooling.

export interface Layer {
  /** Its folders; `*` stands for the rest of a name. The first layer that matches a folder is the one that counts. */
  readonly folders: readonly string[];
  /** The entries of our own packages that it may import. */
  readonly entries: readonly string[] | 'any';
  /** Entries that are dependencies; the others are peers. */
  readonly brings?: readonly string[];
  /** Section of the manifest for imports of third parties. `lazy peer`: imported as types, or by `import()` only. */
  readonly vendors: 'none' | 'dependency' | 'peer' | 'lazy peer' | 'any';
  /** `entry`: only in a Node.js entry point, `src/node.ts` or a file of `src/node/`. */
  readonly node: 'never' | 'entry' | 'always';
  /** Allowed replacement of a forbidden import. */
  readonly instead?: Readonly<Record<string, string>>;
}

const core = '@utensil/core';
/** Entries of core, by name. */
const of = (...names: readonly string[]): readonly string[] => [core, ...names.map((name) => `${core}/${name}`)];
const pdfText = '@utensil/pdf-text';

const layers: readonly Layer[] = [
  { folders: ['packages/core'], entries: [], vendors: 'dependency', node: 'never' },
  {
    folders: ['packages/provider-*'],
    entries: of('files', 'provider', 'provider/strict'),
    vendors: 'lazy peer',
    node: 'never',
  },
  { folders: ['packages/text-dialects'], entries: of('provider'), vendors: 'none', node: 'never' },
  { folders: ['packages/model-data', 'packages/pdf-text'], entries: [core], vendors: 'dependency', node: 'never' },
  {
    folders: ['packages/tool-*'],
    entries: [...of('edit', 'file-commands', 'files'), pdfText],
    brings: [pdfText],
    vendors: 'dependency',
    node: 'never',
    instead: { zod: 'zod/mini' },
  },
  {
    folders: ['packages/storage-filesystem', 'packages/local-shell'],
    entries: of('files', 'storage'),
    vendors: 'dependency',
    node: 'always',
  },
  {
    folders: ['packages/storage-*', 'packages/guarded-fetch', 'packages/sandbox-*'],
    entries: of('files', 'storage'),
    vendors: 'dependency',
    node: 'entry',
  },
  {
    folders: ['packages/interop-*'],
    entries: of('files', 'guard', 'settings', 'storage', 'thread'),
    vendors: 'dependency',
    node: 'entry',
  },
  {
    folders: ['packages/telemetry'],
    entries: [core],
    vendors: 'peer',
    node: 'entry',
  },
  {
    folders: ['packages/elements'],
    entries: of('files', 'guard', 'settings', 'thread'),
    vendors: 'dependency',
    node: 'never',
  },
  {
    folders: ['packages/react'],
    entries: [
      ...of('settings'),
      ...[
        '',
        '/approval',
        '/call',
        '/diff',
        '/files',
        '/markdown',
        '/rules',
        '/settings',
        '/thread',
        '/value',
        '/view',
        '/waiting',
      ].map((entry) => `@utensil/elements${entry}`),
    ],
    vendors: 'peer',
    node: 'never',
  },
  { folders: ['apps/*', 'tooling/*', 'tooling/fixtures/*'], entries: 'any', vendors: 'any', node: 'always' },
  { folders: ['tooling'], entries: [], vendors: 'any', node: 'always' },
];

/** Packages that every test may import without declaring them, because the root runs it. */
export const testRunner = 'vitest';

export function layerOf(folder: string): Layer | undefined {
  return layers.find(({ folders }) => folders.some((pattern) => matches(pattern, folder)));
}

function matches(pattern: string, folder: string): boolean {
  const [start = '', rest] = pattern.split('*');
  return rest === undefined ? folder === start : folder.startsWith(start) && !folder.slice(start.length).includes('/');
}

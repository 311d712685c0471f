import type { Files } from '../files/files.ts';
import { pathLimits } from '../files/paths.ts';

/** A file or directory in a listing. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** Size in bytes; for a directory, of all its contents. */
  readonly size: number;
}

/** Options of a listing. */
export interface ListedTree {
  readonly path: string;
  /** Names to leave out with their contents, in addition to those with a leading dot. */
  readonly leftOut: readonly string[];
}

/** True if listings leave a name out. */
export function isLeftOut(name: string, leftOut: readonly string[]): boolean {
  return name.startsWith('.') || leftOut.includes(name);
}

/** Contents of a directory, two levels deep: directories first, then by name, each followed by its contents. */
export async function listTwoLevels(files: Files, tree: ListedTree): Promise<readonly TreeEntry[]> {
  const children = new Map<string, TreeEntry[]>();
  const sizes = new Map<string, number>();
  const prefix = tree.path === '/' ? '/' : `${tree.path}/`;
  for await (const entry of walk(files, tree.path)) {
    const names = entry.path.slice(prefix.length).split('/');
    if (names.some((name) => isLeftOut(name, tree.leftOut))) continue;
    const [first = '', second] = names;
    const above = second === undefined ? [first] : [first, `${first}/${second}`];
    for (const key of above) sizes.set(key, (sizes.get(key) ?? 0) + entry.size);
    if (names.length <= 2) push(children, names.length === 1 ? '' : first, entry);
  }
  const sized = (entry: TreeEntry): TreeEntry => {
    const { path, kind } = entry;
    return { path, kind, size: sizes.get(path.slice(prefix.length)) ?? 0 };
  };
  return (children.get('') ?? [])
    .sort(directoriesFirst)
    .flatMap((entry) => [entry, ...(children.get(entry.path.slice(prefix.length)) ?? []).sort(directoriesFirst)])
    .map(sized);
}

async function* walk(files: Files, path: string): AsyncGenerator<TreeEntry> {
  let after: string | undefined;
  do {
    const page = await files.list(path, { depth: pathLimits.levels, ...(after !== undefined && { after }) });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}

function push(children: Map<string, TreeEntry[]>, key: string, entry: TreeEntry): void {
  const known = children.get(key);
  if (known === undefined) children.set(key, [entry]);
  else known.push(entry);
}

function directoriesFirst(left: TreeEntry, right: TreeEntry): number {
  if (left.kind !== right.kind) return left.kind === 'directory' ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}

/** A human-readable size: `512`, `1.2K`, `3.4M`. */
export function shortSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let size = bytes;
  let unit = -1;
  for (; Number(size.toFixed(1)) >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${size.toFixed(1)}${units[unit] ?? ''}`;
}

const units = ['K', 'M', 'G', 'T'] as const;

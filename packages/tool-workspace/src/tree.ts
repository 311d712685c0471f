import { joinPath } from '@utensil/core/files';
import { say } from './texts.ts';

/** A directory and its entries. */
export interface Tree {
  readonly files: readonly string[];
  readonly directories: ReadonlyMap<string, Tree>;
}

interface Growing extends Tree {
  readonly files: string[];
  readonly directories: Map<string, Growing>;
}

const empty = (): Growing => ({ files: [], directories: new Map() });

/** Builds a tree from the files below a directory. */
export function treeOf(under: string, paths: readonly string[]): Tree {
  const root = empty();
  const start = joinPath(under, '').length;
  for (const path of paths) {
    const names = path.slice(start).split('/');
    const file = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const next = at.directories.get(name) ?? empty();
      at.directories.set(name, next);
      at = next;
    }
    at.files.push(file);
  }
  return root;
}

/** Limits of the displayed tree. */
export interface TreeOptions {
  readonly depth: number;
  readonly mostLines: number;
}

/** Lines of a tree, as deep as they fit; deeper directories are summarized. */
export function treeLines(tree: Tree, { depth, mostLines }: TreeOptions): readonly string[] {
  let lines = linesOf(tree, 1, '');
  for (let deeper = 2; deeper <= depth; deeper++) {
    const next = linesOf(tree, deeper, '');
    if (next.length > mostLines || next.length < lines.length) break;
    if (deeper > 2 && next.join() === lines.join()) break;
    lines = next;
  }
  if (lines.length <= mostLines) return lines;
  const note = say('listingCut', { shown: mostLines, total: lines.length });
  return [...lines.slice(0, mostLines), note];
}

function linesOf({ directories, files }: Tree, depth: number, indent: string): readonly string[] {
  const entries = [
    ...[...directories].map(([name, tree]) => ({ name, tree })),
    ...files.map((name) => ({ name, tree: undefined })),
  ].sort((left, right) => (left.name < right.name ? -1 : 1));
  return entries.flatMap(({ name, tree }) => {
    if (tree === undefined) return [`${indent}  ${name}`];
    if (depth <= 1) return [`${indent}  ${summary(name, tree)}`];
    return [`${indent}  ${name}/`, ...linesOf(tree, depth - 1, `${indent}  `)];
  });
}

/** Maximum number of file types to name. */
const mostKinds = 6;

function summary(name: string, tree: Tree): string {
  const counts = new Map<string, number>();
  countKinds(tree, counts);
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const count = sorted.reduce((sum, [, each]) => sum + each, 0);
  const named = sorted.slice(0, mostKinds).map(([kind, each]) => `${each} ${kind}`);
  const kinds = [...named, ...(sorted.length > mostKinds ? ['…'] : [])].join(', ');
  return say(count === 1 ? 'directoryFile' : 'directoryFiles', { name, count, kinds });
}

function countKinds({ files, directories }: Tree, counts: Map<string, number>): void {
  for (const file of files) {
    const kind = /[^.]\.([^.]{1,12})$/.exec(file)?.[1]?.toLowerCase() ?? 'other';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const tree of directories.values()) countKinds(tree, counts);
}

import { joinPath, nameOf, parentOf } from '@utensil/core/files';
import type { FileEntry } from '@utensil/core';

/** Arrow keys in right-to-left layout. */
export const mirrored: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** A row of the tree. */
export interface TreeRow {
  readonly entry: FileEntry;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly isOpen: boolean;
  /** Position in its directory, from 1. */
  readonly position: number;
  readonly siblings: number;
}

/** Entries of each directory that was read. */
export type Directories = ReadonlyMap<string, readonly FileEntry[]>;

const order = new Intl.Collator(undefined, { numeric: true });

/** Directories first, then by name in natural order. */
export function sorted(entries: readonly FileEntry[]): readonly FileEntry[] {
  return entries.toSorted(
    (a, b) => Number(a.kind === 'file') - Number(b.kind === 'file') || order.compare(a.path, b.path),
  );
}

/** Visible rows: the contents of open directories, from the root down. */
export function rowsOf(directories: Directories, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting = [{ path: '/', level: 1, at: 0 }];
  for (let here = waiting.at(-1); here !== undefined; here = waiting.at(-1)) {
    const entries = directories.get(here.path) ?? [];
    const entry = entries[here.at++];
    if (entry === undefined) {
      waiting.pop();
      continue;
    }
    const isOpen = entry.kind === 'directory' && open.has(entry.path);
    rows.push({
      entry,
      name: nameOf(entry.path),
      level: here.level,
      isOpen,
      position: here.at,
      siblings: entries.length,
    });
    if (isOpen) waiting.push({ path: entry.path, level: here.level + 1, at: 0 });
  }
  return rows;
}

/** Effect of a key in the tree: another row, or a directory to open or close; undefined for other keys. */
export type TreeMove = { readonly to: string } | { readonly open: string } | { readonly close: string };

/** Effect of a key on a row, by the conventions of trees. */
export function moveBy(key: string, rows: readonly TreeRow[], path: string): TreeMove | undefined {
  const at = rows.findIndex(({ entry }) => entry.path === path);
  const row = rows[at];
  if (row === undefined) return undefined;
  const to = (index: number): TreeMove | undefined => {
    const other = rows[index];
    return other && { to: other.entry.path };
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.entry.kind === 'file') return undefined;
      return row.isOpen ? childOf(rows, at) : { open: path };
    case 'ArrowLeft':
      if (row.isOpen) return { close: path };
      return row.level > 1 ? { to: parentOf(path) } : undefined;
    default:
      return key.length === 1 && key !== ' ' ? to(nextByLetter(rows, at, key)) : undefined;
  }
}

function childOf(rows: readonly TreeRow[], at: number): TreeMove | undefined {
  const [here, next] = [rows[at], rows[at + 1]];
  return here && next && next.level > here.level ? { to: next.entry.path } : undefined;
}

function nextByLetter(rows: readonly TreeRow[], at: number, letter: string): number {
  const order = [...rows.keys()].map((offset) => (at + 1 + offset) % rows.length);
  return order.find((index) => rows[index]?.name.toLowerCase().startsWith(letter.toLowerCase())) ?? -1;
}

/** A free path in a directory: `name`, else `name 2`, `name 3`, with the extension preserved. */
export function freePath(directory: string, name: string, taken: readonly FileEntry[]): string {
  const names = new Set(taken.map(({ path }) => nameOf(path).toLowerCase()));
  let candidate = name;
  for (let number = 2; names.has(candidate.toLowerCase()); number++) candidate = numbered(name, number);
  return joinPath(directory, candidate);
}

/** A name with a number before its extension: `notes 2.md`. */
export function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} ${number}${name.slice(dot)}` : `${name} ${number}`;
}

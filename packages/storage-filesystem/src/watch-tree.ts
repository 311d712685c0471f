import { existsSync, lstatSync, readdirSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { codeOf } from './refusal.ts';

/** Watcher of a directory and everything below it. */
export interface TreeWatcher {
  /** Starts watching if the directory was missing and now exists. */
  attach(): void;
  close(): void;
}

/** Options of {@link watchTree}. */
export interface TreeQuery {
  readonly root: string;
  /** True if changes in a directory are of interest. Paths are relative to the root (`a/b`; the root is empty). */
  enters(directory: string): boolean;
  /** Called when something changed at a path, relative to the root, or below it. */
  seen(place: string): void;
  /** Called when changes may have been missed. */
  lost(): void;
}

/** Watches a directory, which may not exist yet. Does not keep the process alive. */
export function watchTree(query: TreeQuery): TreeWatcher {
  // Other systems can watch a whole tree at once. Linux cannot, and Node.js would watch every single file there.
  const isWhole = process.platform === 'darwin' || process.platform === 'win32';
  const { root, lost } = query;
  let tree: { close(): void } | undefined;
  let above: FSWatcher | undefined;

  function attach(): void {
    if (tree !== undefined) return;
    above?.close();
    above = undefined;
    if (existsSync(root)) tree = isWhole ? watchWhole(query, detach) : watchEach(query, detach);
    else waitAbove(dirname(root));
  }

  function detach(): void {
    tree?.close();
    tree = undefined;
    lost();
    attach();
  }

  function waitAbove(directory: string): void {
    if (!existsSync(directory)) return dirname(directory) === directory ? undefined : waitAbove(dirname(directory));
    above = watchOne(directory, { changed: () => found(directory), failed: () => above?.close() });
  }

  function found(directory: string): void {
    const below = root.slice(directory.length).split(sep).find(Boolean) ?? '';
    if (!existsSync(join(directory, below))) return;
    attach();
    if (tree !== undefined) lost();
  }

  return {
    attach,
    close() {
      tree?.close();
      above?.close();
    },
  };
}

interface Ears {
  changed(name: string | null): void;
  failed(): void;
}

function watchOne(directory: string, { changed, failed }: Ears, recursive = false): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false, recursive }, (_, name) => changed(name));
    watcher.on('error', failed);
    return watcher;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') failed();
    return undefined;
  }
}

function watchWhole({ root, seen, lost }: TreeQuery, gone: () => void): { close(): void } {
  const changed = (name: string | null): void => {
    if (!existsSync(root)) gone();
    else if (name === null) lost();
    else seen(name.replaceAll(sep, '/'));
  };
  const watcher = watchOne(root, { changed, failed: lost }, true);
  return { close: () => watcher?.close() };
}

/**
 * Uses one watch per directory. Reports the contents of a new directory with it, because they may be older than the
 * watch.
 */
function watchEach({ root, enters, seen, lost }: TreeQuery, gone: () => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>();

  function follow(directory: string): void {
    if (watchers.has(directory) || !enters(directory)) return;
    const failed = (): void => {
      leave(directory);
      lost();
    };
    const watcher = watchOne(join(root, directory), { changed: (name) => changed(directory, name), failed });
    if (watcher === undefined) return;
    watchers.set(directory, watcher);
    for (const name of directoriesIn(join(root, directory))) follow(directory === '' ? name : `${directory}/${name}`);
  }

  function changed(directory: string, name: string | null): void {
    const host = join(root, directory);
    // The end of a watched directory is reported under its own name; another one may be in its place by now.
    const isOver = !existsSync(host) || (name === basename(host) && !existsSync(join(host, name)));
    if (isOver && directory === '') return gone();
    if (isOver) leave(directory);
    follow(directory);
    if (isOver || name === null) return seen(directory);
    const place = directory === '' ? name : `${directory}/${name}`;
    if (isDirectory(join(root, place))) follow(place);
    else leave(place);
    seen(place);
  }

  function leave(directory: string): void {
    if (!watchers.has(directory)) return;
    for (const [each, watcher] of watchers) {
      if (each !== directory && !each.startsWith(`${directory}/`)) continue;
      watcher.close();
      watchers.delete(each);
    }
  }

  follow('');
  return { close: () => watchers.forEach((watcher) => watcher.close()) };
}

function directoriesIn(directory: string): readonly string[] {
  try {
    const children = readdirSync(directory, { withFileTypes: true });
    return children.filter((child) => child.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

// A disk that forgets everything not synced, and random commits for it. Each change of names is one operation,
// persisted completely or not at all. Operations may be reordered unless they affect the same name.

import type { Dirent } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { StorageChange, EntryKey, StorageDriver, StorageTree } from '@utensil/core/storage';
import type { FileSystem } from '../file-system.ts';

type Kind = 'file' | 'directory' | 'link';

interface Node {
  readonly kind: Kind;
  readonly number: bigint;
  /** Visible and persisted entries of a directory. */
  entries: Map<string, Node>;
  durableState: Map<string, Node>;
  /** Visible and persisted content of a file; target of a link. */
  content: string;
  keptContent: string;
}

/** Names changed by one call. */
type Operation = readonly { readonly directory: Node; readonly name: string; readonly node: Node | undefined }[];

/** Error of a disk. */
export const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

let count = 0n;

function newNode(kind: Kind, content = ''): Node {
  return { kind, number: ++count, entries: new Map(), durableState: new Map(), content, keptContent: '' };
}

/** An in-memory disk that stops working after `calls` changes. */
export function forgetfulDisk(hasLinks: boolean) {
  const root = newNode('directory');
  let pending: Operation[] = [];
  let left = Infinity;
  let syncs = 0;

  const at = (path: string): Node | undefined =>
    path === '/'
      ? root
      : path
          .slice(1)
          .split('/')
          .reduce<Node | undefined>((node, name) => node?.entries.get(name), root);
  function must(path: string, kind?: Kind): Node {
    const node = at(path);
    if (node === undefined) throw errorOf('ENOENT');
    if (kind !== undefined && node.kind !== kind) throw errorOf(kind === 'directory' ? 'ENOTDIR' : 'EINVAL');
    return node;
  }
  const edit = (path: string, node: Node | undefined) => ({
    directory: must(dirname(path), 'directory'),
    name: basename(path),
    node,
  });
  function change(...operation: Operation): void {
    spend();
    for (const { directory, name, node } of operation) set(directory.entries, name, node);
    pending.push(operation);
  }
  function set(entries: Map<string, Node>, name: string, node: Node | undefined): void {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
  function spend(): void {
    if (left-- <= 0) throw errorOf('EIO');
  }
  /** Persists the operations that `isKept` selects, and all earlier ones on the same names. */
  function keep(isKept: (operation: Operation) => boolean): void {
    const durableState = new Set<Operation>();
    const names = new Map<Node, Set<string>>();
    for (const operation of pending.toReversed()) {
      const isNeeded = operation.some(({ directory, name }) => names.get(directory)?.has(name));
      if (!isNeeded && !isKept(operation)) continue;
      durableState.add(operation);
      for (const { directory, name } of operation) {
        names.set(directory, (names.get(directory) ?? new Set()).add(name));
      }
    }
    for (const { directory, name, node } of pending.filter((each) => durableState.has(each)).flat()) {
      set(directory.durableState, name, node);
    }
    pending = pending.filter((each) => !durableState.has(each));
  }
  function create(path: string, node: Node): void {
    if (at(path) !== undefined) throw errorOf('EEXIST');
    change(edit(path, node));
  }
  function forget(node: Node, random: () => number): void {
    node.entries = new Map(node.durableState);
    const torn = [node.keptContent, node.content.slice(0, Math.floor(random() * node.content.length)), node.content];
    if (node.content !== node.keptContent && node.kind === 'file') node.content = torn[Math.floor(random() * 3)] ?? '';
    node.keptContent = node.content;
    for (const child of node.entries.values()) forget(child, random);
  }
  const namesOf = (node: Node, below = root): bigint =>
    [...below.entries.values()].reduce((sum, each) => sum + (each === node ? 1n : 0n) + namesOf(node, each), 0n);
  const statsOf = (node: Node) => statsAs(node.kind === 'file' ? namesOf(node) : 1n, node);
  const statsAs = (nlink: bigint, { kind, number, content }: Node) => ({
    ...{ nlink, ino: number, dev: 1n, mode: 0o644n, size: BigInt(content.length), mtimeNs: number, ctimeNs: number },
    ...{ mtimeMs: BigInt(Date.now()), ctimeMs: BigInt(Date.now()) },
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'directory',
    isSymbolicLink: () => kind === 'link',
  });
  const handleOf = (node: Node) => ({
    stat: () => statsOf(node),
    read(buffer: Uint8Array, { offset, length, position }: { offset: number; length: number; position: number }) {
      const bytes = Buffer.from(node.content, 'latin1').subarray(position, position + length);
      buffer.set(bytes, offset);
      return { bytesRead: bytes.length };
    },
    writeFile(content: Uint8Array | string) {
      spend();
      node.content = Buffer.from(content).toString('latin1');
    },
    sync() {
      spend();
      syncs++;
      node.keptContent = node.content;
      keep((operation) => operation.some(({ directory }) => directory === node));
    },
    close: () => {},
  });

  const fs: FileSystem = {
    access: (path) => void must(path),
    chmod: (path) => void must(path),
    link(existing, path) {
      if (!hasLinks) throw errorOf('EPERM');
      create(path, must(existing, 'file'));
    },
    lstat: ((path: string) =>
      at(path) === undefined ? undefined : statsOf(must(path))) as unknown as FileSystem['lstat'],
    mkdir: (path, { recursive }) => {
      if (recursive === true && at(path) !== undefined) return undefined;
      if (recursive === true && at(dirname(path)) === undefined) void fs.mkdir(dirname(path), { recursive });
      create(path, newNode('directory'));
      return path;
    },
    open: ((path: string, flags: string | number) => {
      if (flags === 'wx') create(path, newNode('file'));
      return handleOf(must(path));
    }) as unknown as FileSystem['open'],
    readdir: (path) =>
      [...must(path, 'directory').entries].map(([name, node]) => ({ ...statsOf(node), name }) as unknown as Dirent),
    readFile: (path) => must(path, 'file').content,
    readlink: (path) => must(path, 'link').content,
    realpath: (path) => (must(path), path),
    rename(from, to) {
      const [node, target] = [must(from), at(to)];
      if (node === target) return;
      if (target?.kind === 'directory' && target.entries.size > 0) throw errorOf('ENOTEMPTY');
      if (target !== undefined && (target.kind === 'directory') !== (node.kind === 'directory'))
        throw errorOf('ENOTDIR');
      change(edit(from, undefined), edit(to, node));
    },
    rmdir(path) {
      if (must(path, 'directory').entries.size > 0) throw errorOf('ENOTEMPTY');
      change(edit(path, undefined));
    },
    symlink: (target, path) => create(path, newNode('link', target)),
    unlink: (path) => (must(path), change(edit(path, undefined))),
    writeFile(path, text, { flag }) {
      if (flag === 'wx') return create(path, newNode('file', text));
      spend();
      must(path, 'file').content += text;
    },
  };

  return {
    fs,
    /** Number of syncs. */
    syncs: () => syncs,
    /** Cuts the power after this many changes. */
    failAfter: (calls: number) => void (left = calls),
    /** Restores the power. Returns whether it had failed. */
    restart(random: () => number): boolean {
      const wasLost = left < 0;
      keep(() => random() < 0.5);
      pending = [];
      forget(root, random);
      left = Infinity;
      for (const note of at('/r/.utensil/lock')?.entries.keys() ?? []) void fs.unlink(`/r/.utensil/lock/${note}`);
      keep(() => true);
      return wasLost;
    },
  };
}

/** A key. */
export const at = (path: string, tree: StorageTree = 'files'): EntryKey => ({ tree, path });
/** A file to be written. */
export const write = (key: EntryKey, text: string): StorageChange => ({
  ...key,
  type: 'write',
  content: Buffer.from(text),
});

/** Expected contents as a plain map. */
export type Model = ReadonlyMap<string, string>;

/** A commit and the expected contents after it. */
export interface Plan {
  readonly changes: readonly StorageChange[];
  readonly after: Model;
}

/** A random commit that is valid for the contents. */
export function plan(before: Model, number: number, random: () => number): Plan {
  const after = new Map(before);
  const text = `${number} `.repeat(1 + Math.floor(random() * 9));
  const make = (name: string, content: string): StorageChange => {
    after.set(name, content);
    const [tree, path = ''] = name.split(':');
    return content === 'directory'
      ? { ...at(path, tree as StorageTree), type: 'make-directory' }
      : write(at(path, tree as StorageTree), content);
  };
  const keepVersion = (): readonly StorageChange[] => {
    after.set(`records:/${number}`, after.get('files:/a') ?? '');
    return [{ ...at('/a'), type: 'move', to: at(`/${number}`, 'records') }, make('files:/a', text)];
  };
  const hasTree = before.has('files:/d');
  const removeTree = (): StorageChange => {
    for (const name of after.keys()) if (name.startsWith('files:/d')) after.delete(name);
    return { ...at('/d'), type: 'remove', recursive: true };
  };
  const makeTree = (): readonly StorageChange[] => [
    make('files:/d', 'directory'),
    make('files:/d/e', 'directory'),
    make('files:/d/e/x', text),
  ];
  const moveTree = (): readonly StorageChange[] => {
    for (const [name, content] of [...after]) {
      if (!name.startsWith('files:/d')) continue;
      after.delete(name);
      after.set(name.replace('files:/d', `records:/tree ${number}`), content);
    }
    return [{ ...at('/d'), type: 'move', to: at(`/tree ${number}`, 'records') }];
  };
  const kinds: (() => readonly StorageChange[])[] = [
    () => [make('files:/a', text)],
    () => [make('files:/a', text), make('files:/b', text)],
    () => [make(`files:/new ${number}`, text)],
    () => [make('files:/a', 'first'), make('files:/a', text), make('records:/r', text)],
    ...(before.has('files:/a')
      ? [
          keepVersion,
          () => [...keepVersion(), make('files:/b', text)],
          () => [keepVersion()[0], make('files:/b', text), make('files:/a', text)].filter((each) => each !== undefined),
        ]
      : []),
    ...(hasTree
      ? [
          () => [removeTree()],
          moveTree,
          () => [removeTree(), ...makeTree()],
          () => [make('files:/d/e/x', text), ...moveTree()],
        ]
      : [makeTree]),
  ];
  const changes = kinds[Math.floor(random() * kinds.length)]?.() ?? [];
  return { changes, after };
}

/** All contents of a storage. */
export async function contentOf(driver: StorageDriver): Promise<Model> {
  const content = new Map<string, string>();
  for (const tree of ['files', 'records'] as const) {
    for (const entry of await driver.list({ ...at('/', tree), depth: 9, limit: 999 })) {
      const found = entry.kind === 'file' ? await driver.read(entry) : undefined;
      content.set(`${tree}:${entry.path}`, found === undefined ? 'directory' : Buffer.from(found.content).toString());
    }
  }
  return content;
}

/** The contents as one text. */
export const sorted = (model: Model): string =>
  [...model]
    .map(([name, content]) => `${name} = ${content}`)
    .sort()
    .join('\n');

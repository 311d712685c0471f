// Commits of the program by number, and the expected contents after each.

/** The part of a storage that is needed here. */
export interface Storage {
  commit(commit: Commit): Promise<{ readonly ok: boolean }>;
  list(
    query: Key & { readonly depth: number; readonly limit: number },
  ): Promise<readonly (Key & { readonly kind: string })[]>;
  read(key: Key): Promise<{ readonly content: Uint8Array } | undefined>;
  close(): Promise<void>;
}

interface Key {
  readonly tree: 'files' | 'records';
  readonly path: string;
}

interface Commit {
  readonly expect: readonly [];
  readonly changes: readonly Change[];
  readonly time: number;
}

type Change = Key & {
  readonly type: string;
  readonly content?: Uint8Array;
  readonly to?: Key;
  readonly recursive?: boolean;
};

/** Contents by tree and path: texts of files, and `null` for directories. */
export type Content = ReadonlyMap<string, string | null>;

const files = (path: string): Key => ({ tree: 'files', path });
const records = (path: string): Key => ({ tree: 'records', path });
const write = (path: string, text: string): Change => ({ ...files(path), type: 'write', content: Buffer.from(text) });
const makeDirectory = (path: string): Change => ({ ...files(path), type: 'make-directory' });

/** Sometimes several pages long, so that a partial write would show. */
const textOf = (number: number): string => `${number} `.repeat(1 + ((number * 7919) % 3000));

const round = 6;
const keptRounds = 10;

/** Changes of a commit by number; 0 sets up the initial contents. */
export function changesOf(number: number): readonly Change[] {
  const text = textOf(number);
  const old = number - round * keptRounds;
  switch (number === 0 ? 'start' : number % round) {
    case 'start':
      return [write('/document', text)];
    case 1:
      return [write('/left', text), write('/right', text)];
    case 2: {
      const version = { ...files('/document'), type: 'move', to: records(`/version ${number}`) };
      const outdated = { ...records(`/version ${old}`), type: 'remove' };
      return [version, write('/document', text), ...(old > 0 ? [outdated] : [])];
    }
    case 3: {
      const lines = Array.from({ length: number }, (_, index) => index).filter((each) => each % round === 3);
      return [write('/log', [...lines, number].map((each) => `line ${each}\n`).join(''))];
    }
    case 4:
      return [
        makeDirectory('/tree'),
        makeDirectory('/tree/deep'),
        write('/tree/deep/leaf', text),
        write('/moving', text),
      ];
    case 5:
      return [{ ...files('/tree'), type: 'remove', recursive: true }];
    default: {
      const outdated = { ...records(`/moved ${old}`), type: 'remove' };
      return [{ ...files('/moving'), type: 'move', to: records(`/moved ${number}`) }, ...(old > 0 ? [outdated] : [])];
    }
  }
}

/** Contents after a commit, given those before. */
export function contentAfter(before: Content, number: number): Content {
  const content = new Map(before);
  const nameOf = ({ tree, path }: Key): string => `${tree}:${path}`;
  for (const change of changesOf(number)) {
    const name = nameOf(change);
    if (change.content !== undefined) content.set(name, Buffer.from(change.content).toString());
    else if (change.to !== undefined) content.set(nameOf(change.to), content.get(name) ?? '');
    else if (change.type === 'make-directory') content.set(name, null);
    if (change.type !== 'move' && change.type !== 'remove') continue;
    for (const each of [...content.keys()]) if (each === name || each.startsWith(`${name}/`)) content.delete(each);
  }
  return content;
}

/** Reads everything in a storage. */
export async function contentOf(storage: Storage): Promise<Content> {
  const content = new Map<string, string | null>();
  for (const tree of ['files', 'records'] as const) {
    for (const { path, kind } of await storage.list({ tree, path: '/', depth: 9, limit: 1000 })) {
      const found = kind === 'file' ? await storage.read({ tree, path }) : undefined;
      content.set(`${tree}:${path}`, found === undefined ? null : Buffer.from(found.content).toString());
    }
  }
  return content;
}

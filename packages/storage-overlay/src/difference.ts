import { fileError, foldCase } from '@utensil/core/files';
import { comparePaths, directoryEtag } from '@utensil/core/storage';
import type {
  StorageChange,
  StorageCommit,
  EntryKey,
  StorageExpectation,
  ListedEntry,
  StorageDriver,
} from '@utensil/core/storage';
import { readBase } from './base.ts';
import { allOf, entriesBelow, isOwn, keyOfCut } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Layers } from './view.ts';

/** Changes that make the lower storage equal to the overlay, provided that it has not changed since. */
export type OverlayChanges = Omit<StorageCommit, 'time'>;

type Known = Map<string, EntryKey & { readonly etag: string }>;

const idOf = ({ tree, path }: EntryKey): string => `${tree}:${path}`;

/** The difference between the merged view and the lower storage. */
export async function differenceOf({ lower, upper }: Layers, { cuts }: Ledger): Promise<OverlayChanges> {
  const base = await readBases(upper, cuts);
  const written = await entriesOf(upper);
  const kept = new Set(written.filter((entry) => isKept(base, entry)).map(idOf));
  const removed = [...base.values()].filter((key) => !kept.has(idOf(key)));
  const spellings = new Set(removed.map((key) => foldCase(idOf(key))));
  const expect: StorageExpectation[] = [...base.values()];
  const changes: StorageChange[] = removed.toReversed().map(({ tree, path }) => ({ tree, path, type: 'remove' }));
  const present = await lower.stat(written);
  for (const [index, { tree, path, kind }] of written.entries()) {
    const key = { tree, path };
    const isThere = kept.has(idOf(key)) || (!base.has(idOf(key)) && present[index]?.kind === 'directory');
    if (kind === 'directory' && isThere) continue;
    if (!base.has(idOf(key)) && !spellings.has(foldCase(idOf(key)))) expect.push({ ...key, etag: null });
    const found = kind === 'file' ? await upper.read(key) : undefined;
    changes.push(found ? { ...key, type: 'write', content: found.content } : { ...key, type: 'make-directory' });
  }
  return { expect, changes };
}

/** Entries that the lower storage had below its cuts, parents first. Throws `EIO` if a record of them is damaged. */
async function readBases(upper: StorageDriver, cuts: ReadonlySet<string>): Promise<Known> {
  const read = [...cuts].map(async (cut) =>
    (await readBase(upper, cut)).map(([path, etag]) => ({ tree: keyOfCut(cut).tree, path, etag })),
  );
  const sorted = (await Promise.all(read)).flat().sort((left, right) => comparePaths(left.path, right.path));
  const known: Known = new Map();
  for (const { etag, ...key } of sorted) if (etag !== null) known.set(idOf(key), { ...key, etag });
  const unknown = sorted.filter(({ etag }) => etag === null);
  if (unknown.length > 0) throw damaged(unknown);
  return known;
}

function damaged(keys: readonly EntryKey[]): Error {
  const shown = keys.slice(0, 10).map(({ path }) => `'${path}'`);
  const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  const happened = `The overlay's record of ${shown.join(', ')}${more} is damaged, or was written by a newer version:`;
  const toDo = 'accepting could overwrite unknown changes. Copy what you need from the overlay, then discard it.';
  return fileError('EIO', keys[0]?.path ?? '/', { hint: `${happened} ${toDo}` });
}

async function entriesOf(upper: StorageDriver): Promise<readonly ListedEntry[]> {
  const [files, records] = await Promise.all([
    allOf(entriesBelow(upper, { tree: 'files', path: '/' })),
    allOf(entriesBelow(upper, { tree: 'records', path: '/' })),
  ]);
  return [...files, ...records.filter((entry) => !isOwn(entry))];
}

/** True if an entry replaces one of the same kind, which then needs no removal. */
function isKept(base: Known, entry: ListedEntry): boolean {
  const before = base.get(idOf(entry));
  return before !== undefined && (before.etag === directoryEtag) === (entry.kind === 'directory');
}

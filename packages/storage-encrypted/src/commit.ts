import { fileError, joinPath, parentOf } from '@utensil/core/files';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
  StorageDriver,
} from '@utensil/core/storage';
import { seal } from './content.ts';
import type { Names } from './names.ts';
import { clearWay, spellingsOf } from './obstacle.ts';
import type { Obstacle } from './obstacle.ts';
import { placeOf, plainEntry, textOf } from './place.ts';
import type { Place } from './place.ts';
import { keysOf, originsOf, partsOf, premises, toStoredChanges } from './plan.ts';

/** Dependencies of a commit. */
export interface Target {
  readonly driver: StorageDriver;
  readonly secret: CryptoKey;
  readonly names: Names;
}

/** Maximum number of attempts while other writers interfere. */
const maxAttempts = 100;

/** Applies all changes, or none. Everything is encrypted before anything is committed. */
export async function commitChanges(target: Target, commit: StorageCommit): Promise<StorageCommitResult> {
  const { driver } = target;
  const { expect, changes } = commit;
  const sealed = await Promise.all(changes.map((change) => sealChange(target, change)));
  const origins = originsOf(changes);
  const places = await placesOf(target.names, [...expect, ...changes.flatMap(keysOf), ...origins]);
  const expected = expect.flatMap((expectation) => toStoredExpectations(places, expectation));
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stored = await statAll(driver, partsOf(places, origins));
    const draft = { changes: sealed, places, stored };
    const assumed = premises(draft, origins);
    const expectations = [...expected, ...assumed];
    const result = await driver.commit({ ...commit, expect: expectations, changes: toStoredChanges(draft) });
    if (result.ok) return { ok: true, entries: plainEntries(result.entries, places) };
    if (!isSame(assumed, await statAll(driver, assumed))) continue;
    const met = await meet(target, result, places);
    if ('conflict' in met) return met;
    await clearWay(target, { ...met, time: commit.time });
  }
  throw fileError('EBUSY', changes[0]?.path ?? '/', {
    hint: 'Others keep changing it: try again.',
    retryable: true,
  });
}

async function sealChange({ secret }: Target, change: StorageChange): Promise<StorageChange> {
  if (change.type !== 'write') return change;
  const { type, tree, path } = change; // without `like`: it names a path, and encrypted files are never executed
  return { type, tree, path, content: await seal(secret, change.content) };
}

type Places = ReadonlyMap<string, Place & { readonly key: EntryKey }>;

async function placesOf(names: Names, keys: readonly EntryKey[]): Promise<Places> {
  const unique = new Map(keys.map(({ tree, path }) => [textOf({ tree, path }), { tree, path }]));
  const found = [...unique].map(async ([text, key]) => [text, { key, ...(await placeOf(names, key)) }] as const);
  return new Map(await Promise.all(found));
}

function toStoredExpectations(places: Places, { etag, ...key }: StorageExpectation): readonly StorageExpectation[] {
  const { stored, marker } = places.get(textOf(key)) ?? { stored: key, marker: undefined };
  const expectation = { ...stored, etag };
  return etag !== null || marker === undefined ? [expectation] : [expectation, { ...marker, etag }];
}

async function statAll(driver: StorageDriver, keys: readonly EntryKey[]): Promise<ReadonlyMap<string, StorageEntry>> {
  const found = keys.length === 0 ? [] : await driver.stat(keys);
  return new Map(found.flatMap((entry) => (entry === undefined ? [] : [[textOf(entry), entry] as const])));
}

function isSame(assumed: readonly StorageExpectation[], stored: ReadonlyMap<string, StorageEntry>): boolean {
  return assumed.every(({ etag, ...key }) => (stored.get(textOf(key))?.etag ?? null) === etag);
}

/** Entries of a commit, without companions. */
function plainEntries(entries: readonly StorageEntry[], places: Places): readonly StorageEntry[] {
  const keys = new Map([...places.values()].map(({ stored, key }) => [textOf(stored), key]));
  return entries.flatMap((entry) => {
    const key = keys.get(textOf(entry));
    return key === undefined ? [] : [plainEntry(entry, key)];
  });
}

/** The conflict as the caller can understand it, or the obstacle that caused it if it has no name. */
async function meet(
  target: Target,
  { conflict: at, entry }: StorageCommitResult & { readonly ok: false },
  places: Places,
): Promise<(StorageCommitResult & { readonly ok: false }) | Omit<Obstacle, 'time'>> {
  const wanted = textOf(at);
  const isAt = (part: EntryKey | undefined): boolean => part !== undefined && textOf(part) === wanted;
  const met = [...places.values()].find(({ stored, marker, side }) => [stored, marker, side].some(isAt));
  if (met === undefined)
    throw fileError('EIO', '/', { hint: 'The underlying storage reported an impossible conflict.' });
  const { key, stored, marker } = met;
  const isRespelled = entry !== undefined && textOf(entry) !== wanted;
  if (isAt(stored) && !isRespelled) return { ok: false, conflict: key, entry: entry && plainEntry(entry, key) };
  const isForeign = marker !== undefined && (isRespelled || entry?.kind === 'directory');
  if (isForeign) return { key, at, entry };
  const twin = await findTwin(target, key);
  const isOrphan = marker !== undefined && entry !== undefined && twin === undefined;
  return isOrphan ? { key, at, entry } : { ok: false, conflict: key, entry: twin };
}

/** Finds the entry with this name or another spelling of it. */
async function findTwin(target: Target, key: EntryKey): Promise<StorageEntry | undefined> {
  const [twin] = await spellingsOf(target, key);
  const [found] = twin === undefined ? [] : await target.driver.stat([twin.entry]);
  return twin && found && plainEntry(found, { tree: key.tree, path: joinPath(parentOf(key.path), twin.name) });
}

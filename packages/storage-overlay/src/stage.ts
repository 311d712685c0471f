import { ancestorsOf, isWithin } from '@utensil/core/files';
import type { StorageChange, StorageEntry, EntryKey, ListedEntry } from '@utensil/core/storage';
import { readBase, writeBase } from './base.ts';
import type { Base } from './base.ts';
import { cutKey, entriesBelow, isCut } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Layers } from './view.ts';

type Kind = StorageEntry['kind'];

/** State of both storages after the changes of a commit, and the changes that the upper storage needs for it. */
export interface Stage {
  readonly changes: readonly StorageChange[];
  readonly cuts: ReadonlySet<string>;
  /** Adds a change to the upper storage. Creates parent directories first if only the lower one has them. */
  add(change: StorageChange): Promise<void>;
  /** Cuts off the lower storage at a key, and records the entries there. */
  cut(key: EntryKey, base: Base): Promise<void>;
  kindAt(key: EntryKey): Promise<Kind | undefined>;
  inUpper(key: EntryKey): Promise<Kind | undefined>;
  /** The visible entry of the lower storage. */
  inLower(key: EntryKey): Promise<StorageEntry | undefined>;
  /** Visible entries of the lower storage below a key. */
  below(key: EntryKey, depth?: number): AsyncGenerator<ListedEntry, void>;
}

/** Creates a stage without changes. */
export function createStage({ lower, upper }: Layers, ledger: Ledger): Stage {
  const changes: StorageChange[] = [];
  let own: Set<string> | undefined; // copied on the first cut
  let cuts = ledger.cuts;
  const bases = new Map<string, Base>();
  const [statUpper, statLower] = [remembering(upper), remembering(lower)];

  const stage: Stage = {
    changes,
    get cuts() {
      return cuts;
    },
    async add(change) {
      const key = change.type === 'move' ? change.to : change;
      for (const path of ancestorsOf(key.path)) {
        const directory = { tree: key.tree, path };
        if ((await stage.inUpper(directory)) === undefined) changes.push({ ...directory, type: 'make-directory' });
      }
      changes.push(change);
    },
    async cut(key, base) {
      const { tree, path } = cutKey(key);
      const all = [...base];
      own ??= new Set(cuts);
      if ((await stage.inUpper({ tree, path })) !== undefined) {
        for (const each of [...own].filter((other) => isWithin(path, other))) {
          all.push(...(bases.get(each) ?? (await readBase(upper, each))));
          own.delete(each);
        }
        await stage.add({ tree, path, type: 'remove', recursive: true });
      }
      await stage.add(writeBase(path, all));
      bases.set(path, all);
      cuts = own.add(path);
    },
    kindAt: async (key) => (await stage.inUpper(key)) ?? (await stage.inLower(key))?.kind,
    async inUpper(key) {
      const { kind, origin } = traceBack(changes, key);
      return origin === undefined ? kind : (await statUpper(origin))?.kind;
    },
    inLower: async (key) => (isCut(cuts, key) ? undefined : statLower(key)),
    async *below(key, depth) {
      if (isCut(cuts, key)) return;
      for await (const entry of entriesBelow(lower, key, depth === undefined ? {} : { depth })) {
        if (!isCut(cuts, entry)) yield entry;
      }
    },
  };
  return stage;
}

/** Caches one lookup per key. */
function remembering(layer: Layers['upper']): (key: EntryKey) => Promise<StorageEntry | undefined> {
  const known = new Map<string, Promise<StorageEntry | undefined>>();
  return async ({ tree, path }) => {
    const id = `${tree}:${path}`;
    const asked = known.get(id) ?? layer.stat([{ tree, path }]).then(([entry]) => entry);
    known.set(id, asked);
    return asked;
  };
}

/** The entry that changes put at a key, or its original key if they did not touch it. */
function traceBack(
  changes: readonly StorageChange[],
  key: EntryKey,
): { readonly kind?: Kind; readonly origin?: EntryKey } {
  let { tree, path } = key;
  for (const change of changes.toReversed()) {
    if (change.type === 'move' && change.to.tree === tree && isWithin(change.to.path, path)) {
      ({ tree, path } = { tree: change.tree, path: change.path + path.slice(change.to.path.length) });
    } else if (change.tree !== tree || !isWithin(change.path, path)) continue;
    else if (change.type === 'remove' || change.type === 'move') return {};
    else if (change.path === path) return { kind: change.type === 'write' ? 'file' : 'directory' };
  }
  return { origin: { tree, path } };
}

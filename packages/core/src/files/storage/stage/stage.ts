import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
  StorageDriver,
} from '../driver.ts';
import { createQueue } from '../../queue.ts';
import { stageChange } from './change.ts';
import { createSheet, nameOfKey } from './staged-changes.ts';
import { createView, outdated } from './staged-view.ts';

/** Changes to a storage that stay invisible to others until they are committed together, or discarded. */
export interface CommitStage {
  /** The storage with the staged changes applied. Commits to it are staged. */
  readonly driver: StorageDriver;
  /** True if nothing is staged. */
  isEmpty(): boolean;
  /** True if every file that was looked up is unchanged since, so that all reads were consistent. */
  isCurrent(): Promise<boolean>;
  /**
   * Commits all staged changes at once, if every file that was looked up is unchanged or still missing. Durable if any
   * of the staged commits is.
   */
  commit(time: number): Promise<StorageCommitResult>;
}

/** Options of {@link createCommitStage}. */
export interface CommitStageOptions {
  /** True if the entry found at a key must be unchanged at the commit. Default: always. */
  readonly expects?: (key: EntryKey) => boolean;
  /** False to skip copying contents: no array may then change before the commit. Default: true. */
  readonly copies?: boolean;
}

/**
 * Creates a stage over a storage. Each entry is looked up once, so that reads are repeatable.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { createCommitStage } from '@utensil/core/storage';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const storage = memoryStorage();
 * const stage = createCommitStage(storage);
 * await createFiles(stage.driver).write('/draft.md', 'not yet');
 * console.log(await createFiles(storage).stat('/draft.md')); // undefined
 * await stage.commit(Date.now());
 * console.log((await createFiles(storage).readText('/draft.md')).text); // not yet
 * ```
 */
export function createCommitStage(base: StorageDriver, options: CommitStageOptions = {}): CommitStage {
  const { expects = () => true, copies = true } = options;
  const sheet = createSheet();
  const view = createView(base, sheet);
  const inOrder = createQueue();
  /** Names that were expected to be free before anything about them was staged. */
  const firm = new Set<string>();
  let count = 0;
  let isDurable = false;
  const newEtag = (): string => `staged-${++count}`;

  async function stage({ expect, changes, time, durable = false }: StorageCommit): Promise<StorageCommitResult> {
    if (expect.length > 0) await view.findAll(expect);
    for (const expectation of expect) {
      const conflict = await unmet(expectation);
      if (conflict !== undefined) return conflict;
    }
    sheet.keep();
    for (const change of changes) {
      const conflict = await stageChange({ sheet, view, time, newEtag }, change);
      if (conflict === undefined) continue;
      sheet.undo();
      if (!(await isCurrent())) throw outdated(conflict);
      return { ok: false, conflict, entry: (await view.find(conflict))?.entry };
    }
    isDurable ||= durable;
    if (changes.length === 0) return { ok: true, entries: [] };
    const written = changes.filter(({ type }) => type !== 'remove');
    const nodes = await view.findAll(written.map((change) => (change.type === 'move' ? change.to : change)));
    return { ok: true, entries: nodes.flatMap((node) => node?.entry ?? []) };
  }

  async function unmet({ tree, path, etag }: StorageExpectation): Promise<StorageCommitResult | undefined> {
    const key = { tree, path };
    const entry = (await view.find(key))?.entry;
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
    if (etag !== null) return undefined;
    const twin = sheet.spellingAt(key);
    if (twin === undefined) firm.add(nameOfKey(key));
    if (typeof twin !== 'string') return undefined;
    return { ok: false, conflict: key, entry: (await view.find({ tree, path: twin }))?.entry };
  }

  async function isCurrent(): Promise<boolean> {
    const seen = [...view.seen()].filter(({ key }) => expects(key));
    const found = await base.stat(seen.map(({ key }) => key));
    return seen.every(({ entry }, index) => entry?.etag === found[index]?.etag);
  }

  function expectations(): readonly StorageExpectation[] {
    return [...view.seen()]
      .filter(({ key, entry }) => expects(key) && !isCertain(key, entry))
      .map(({ key, entry }) => ({ ...key, etag: entry?.etag ?? null }));
  }

  /** A removed directory is itself a conflict; the spellings of a removed file are free. */
  function isCertain(key: EntryKey, entry: StorageEntry | undefined): boolean {
    if (entry !== undefined) return entry.kind === 'directory';
    return sheet.isFreed(key) && !firm.has(nameOfKey(key));
  }

  return {
    driver: {
      stat: async (keys) => (await view.findAll(keys)).map((node) => node?.entry),
      list: (query) => view.list(query),
      read: (key, range) => view.read(key, range),
      commit(given) {
        const { expect, changes } = given;
        const commit = { ...given, expect: [...expect], changes: copies ? changes.map(copyOf) : [...changes] };
        return inOrder(['/'], () => stage(commit));
      },
      watch: (listener) => base.watch(listener),
      close: async () => {},
    },
    isEmpty: () => sheet.changes.length === 0,
    isCurrent,
    commit: (time) =>
      base.commit({
        expect: expectations(),
        changes: sheet.changes,
        time,
        ...(isDurable && { durable: true }),
      }),
  };
}

/** A change that is independent of the caller's array. */
function copyOf(change: StorageChange): StorageChange {
  return change.type === 'write' ? { ...change, content: new Uint8Array(change.content) } : change;
}

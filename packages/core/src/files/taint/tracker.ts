import type { ByteRange, StorageDriver } from '../storage/driver.ts';
import type { FileBytes } from '../files.ts';
import { nameOf } from '../paths.ts';
import type { Additions, Written } from '../transaction.ts';
import { digestOf, forgetContent, recordOutside, sourcesOf } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { FilesObserver } from './observer.ts';

/** Tracks outside content through the files of a storage, for an observer or for none. */
export interface Tracker {
  /** Reports the read of a content; for a partial read, `readAll` returns the whole. */
  read(found: FileBytes, range: ByteRange | undefined, readAll: () => Promise<Uint8Array>): Promise<void>;
  /** Reports listed names. */
  listed(paths: readonly string[]): Promise<void>;
  /** Records to commit together with a change. */
  record(written: Written): Promise<Additions>;
}

const nothing: Additions = { expect: [], changes: [] };

/**
 * Creates a tracker. Without an observer nothing is reported, and only content that was outside content before is
 * recorded.
 */
export function createTracker(driver: StorageDriver, ledger: Ledger, observer?: FilesObserver): Tracker {
  const known = () => ledger.open(driver, observer?.session);

  async function isOutside(bytes: Uint8Array): Promise<boolean> {
    if ((await known()).isEmpty) return false;
    const digest = await digestOf(bytes);
    return digest !== undefined && ledger.entries.has(digest);
  }

  /** Records that written content is outside content, or no longer is. */
  async function recordBytes({ bytes, keeps }: Written): Promise<Additions> {
    if (bytes === undefined) return nothing;
    const isTainted = observer?.isTainted() === true;
    if (isTainted) await known();
    if (isTainted || (keeps !== undefined && (await isOutside(keeps)))) {
      if (ledger.entries.isHidden) return nothing;
      const digest = await digestOf(bytes);
      const sources = isTainted ? observer.sources() : await originOf(keeps);
      return digest === undefined ? nothing : recordOutside(ledger, driver, { kind: 'content', id: digest, sources });
    }
    if (observer?.hasReview?.() !== true || (await known()).isHidden) return nothing;
    const digest = await digestOf(bytes); // read again: on a retry, the in-memory entry is gone already
    return digest === undefined ? nothing : forgetContent(ledger, driver, digest);
  }

  async function originOf(bytes: Uint8Array | undefined): Promise<readonly string[]> {
    const digest = bytes && (await digestOf(bytes));
    return digest === undefined ? [] : sourcesOf(driver, digest);
  }

  /** Records the new names of a change that are long enough to carry a message. */
  async function recordNames({ path, location }: Written): Promise<readonly Additions[]> {
    if (observer?.isTainted() !== true || (await known()).isHidden) return [];
    const paths = location.entry === undefined ? [...location.missing, path] : location.missing;
    const telling = [...new Set(paths.map(nameOf).filter(isTelling))];
    const sources = observer.sources();
    return Promise.all(telling.map((name) => recordOutside(ledger, driver, { kind: 'name', id: name, sources })));
  }

  return {
    async read({ path, bytes, size }, range, readAll) {
      if (observer === undefined || (await known()).isEmpty) return;
      const isWhole = range === undefined || (range.start === 0 && bytes.length === size);
      const all = isWhole ? bytes : await readAll();
      if (await isOutside(all)) observer.taint(path, await originOf(all));
    },
    async listed(paths) {
      if (observer === undefined || (await known()).isEmpty) return;
      const found = paths.find((path) => ledger.entries.hasName(nameOf(path)));
      if (found !== undefined) observer.taint(found, []);
    },
    async record(written) {
      const all = [await recordBytes(written), ...(await recordNames(written))];
      return all.length === 1 ? (all[0] ?? nothing) : merged(all);
    },
  };
}

/** Directories created by several parallel writes are created once. */
function merged(all: readonly Additions[]): Additions {
  const once = <Key extends { readonly path: string }>(keys: readonly Key[]): readonly Key[] => [
    ...new Map(keys.map((key) => [key.path, key])).values(),
  ];
  return { expect: once(all.flatMap(({ expect }) => expect)), changes: once(all.flatMap(({ changes }) => changes)) };
}

const plainLength = 32;

/** True for a name longer than a short word: `report-2.md` cannot carry an instruction. */
function isTelling(name: string): boolean {
  return name.length > plainLength || !/^[\w.-]*$/.test(name);
}

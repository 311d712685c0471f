import type { ByteRange, StorageDriver } from '../storage/driver.ts';
import type { FileBytes } from '../files.ts';
import { nameOf } from '../paths.ts';
import type { Additions, Written } from '../transaction.ts';
import { digestOf, forgetContent, recordContent, recordName, sourcesOf } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { FilesObserver } from './observer.ts';

/** Follows outside content through the files of a storage, for an observer or for none. */
export interface Tracker {
  /** Tells of a content that was read, or of a part of it: then `readAll` gives all. */
  read(found: FileBytes, range: ByteRange | undefined, readAll: () => Promise<Uint8Array>): Promise<void>;
  /** Tells of names that were listed. */
  listed(paths: readonly string[]): Promise<void>;
  /** Records for the commit of a change. */
  record(written: Written): Promise<Additions>;
}

const nothing: Additions = { expect: [], changes: [] };

/** A tracker of a storage. Without an observer nothing is told, and nothing is outside content but what was before. */
export function createTracker(driver: StorageDriver, ledger: Ledger, observer?: FilesObserver): Tracker {
  const known = () => ledger.open(driver, observer?.session);

  async function isOutside(bytes: Uint8Array): Promise<boolean> {
    if ((await known()).isEmpty) return false;
    const digest = await digestOf(bytes);
    return digest !== undefined && ledger.entries.has(digest);
  }

  /** Records that the content of a write is outside content, or that it no longer is. */
  async function recordBytes({ bytes, keeps }: Written): Promise<Additions> {
    if (bytes === undefined) return nothing;
    const isTainted = observer?.isTainted() === true;
    if (isTainted) await known();
    if (isTainted || (keeps !== undefined && (await isOutside(keeps)))) {
      if (ledger.entries.isHidden) return nothing;
      const digest = await digestOf(bytes);
      const sources = isTainted ? observer.sources() : await originOf(keeps);
      return digest === undefined ? nothing : recordContent(ledger, driver, { digest, sources });
    }
    if (observer?.hasReview?.() !== true || (await known()).isHidden) return nothing;
    const digest = await digestOf(bytes); // its record decides: memory has forgotten it already if this is another attempt
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
    return Promise.all(telling.map((name) => recordName(ledger, driver, { name, sources })));
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

/** Directories that several make are made once. */
function merged(all: readonly Additions[]): Additions {
  const once = <Key extends { readonly path: string }>(keys: readonly Key[]): readonly Key[] => [
    ...new Map(keys.map((key) => [key.path, key])).values(),
  ];
  return { expect: once(all.flatMap(({ expect }) => expect)), changes: once(all.flatMap(({ changes }) => changes)) };
}

const plainLength = 32;

/** True for a name that is more than a short word: `report-2.md` gives no order. */
function isTelling(name: string): boolean {
  return name.length > plainLength || !/^[\w.-]*$/.test(name);
}

import { isUtensilError, UtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { readBundle } from './format.ts';
import type { Bundle, BundleItem } from './format.ts';
import { fileError, quotePath } from '../file-error.ts';
import type { FileEntry, Files, ProjectFiles } from '../files.ts';
import { ancestorsOf, foldCase } from '../paths.ts';
import { walk } from '../walk.ts';

/** What {@link importFiles} may be told. */
export interface ImportOptions {
  /**
   * What becomes of a file that is there already: `refuse` (the default) imports nothing, `overwrite` replaces it by that of
   * the bundle, `skip` leaves it.
   */
  readonly existing?: 'refuse' | 'overwrite' | 'skip';
  /** The longest bundle that is read, in UTF-16 units; default 256 Mi. */
  readonly maxLength?: number;
  /** The most files and directories; default 100,000. */
  readonly maxEntries?: number;
  /** The largest file; default 10 MiB. */
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

/** What an import did. */
export interface ImportResult {
  /** How many files were written. */
  readonly written: number;
  /** What was left as it was, because something was there. */
  readonly skipped: readonly string[];
  /** What the bundle has beside the files. It may come from anybody: check it. */
  readonly sections: Readonly<Record<string, Json>>;
}

/** Where there is a `batch`, all is imported or nothing. */
type Target = Files & Partial<Pick<ProjectFiles, 'batch'>>;

/**
 * Writes the files of a bundle that {@link exportFiles} made. The whole of it is checked before the first write, as it may
 * come from anybody. Files that have a `batch` then take all of it or nothing.
 *
 * Throws `bundle_corrupt`, `bundle_newer`, `EFBIG`, and `EEXIST` for what is in the way.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { exportFiles, importFiles } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/a.md', 'mine');
 * const bundle = '{"format":"utensil-bundle","version":1,"entries":[{"path":"/a.md","text":"theirs"}]}';
 * await importFiles(files, bundle).catch((error) => console.log(error.code)); // EEXIST
 * console.log((await importFiles(files, bundle, { existing: 'skip' })).skipped); // [ '/a.md' ]
 * ```
 */
export async function importFiles(
  files: Target,
  bundle: string | AsyncIterable<string>,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const { maxLength = 256 * 1024 * 1024, maxEntries = 100_000, maxFileBytes = 10 * 1024 * 1024 } = options;
  const json = await collect(bundle, maxLength);
  const read = readBundle(json, { maxEntries, maxFileBytes });
  const work = (target: Files): Promise<ImportResult> => writeBundle(target, read, options);
  return files.batch === undefined ? work(files) : files.batch(work);
}

async function collect(bundle: string | AsyncIterable<string>, maxLength: number): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of typeof bundle === 'string' ? [bundle] : bundle) {
    length += piece.length;
    if (length > maxLength)
      throw new UtensilError('EFBIG', `EFBIG: file too large. The bundle has more than ${maxLength} characters.`);
    pieces.push(piece);
  }
  return pieces.join('');
}

async function writeBundle(
  files: Files,
  { items, sections }: Bundle,
  { existing = 'refuse', signal }: ImportOptions,
): Promise<ImportResult> {
  const present = new Map<string, FileEntry>();
  for await (const entry of walk(files, '/')) present.set(foldCase(entry.path), entry);
  const skipped: string[] = [];
  const wanted: BundleItem[] = [];
  for (const item of items) {
    const obstacle = obstacleOf(item, present, existing === 'overwrite');
    if (obstacle === undefined) wanted.push(item);
    else if (existing === 'skip') skipped.push(item.path);
    else throw inTheWay(item.path, obstacle);
  }
  let written = 0;
  for (const { path, bytes } of wanted) {
    signal?.throwIfAborted();
    if (bytes === undefined) await makeIfMissing(files, path);
    else {
      await files.write(path, bytes, { create: present.has(foldCase(path)) ? 'may' : 'must' });
      written++;
    }
  }
  return { written, skipped, sections };
}

/** What keeps an item from its place. */
function obstacleOf(
  { path, bytes }: BundleItem,
  present: ReadonlyMap<string, FileEntry>,
  overwrite: boolean,
): FileEntry | undefined {
  for (const above of ancestorsOf(path)) {
    const found = present.get(foldCase(above));
    if (found !== undefined && (found.path !== above || found.kind === 'file')) return found;
  }
  const found = present.get(foldCase(path));
  if (found === undefined || found.path !== path) return found;
  const isFine = bytes === undefined ? found.kind === 'directory' : overwrite && found.kind === 'file';
  return isFine ? undefined : found;
}

function inTheWay(path: string, obstacle: FileEntry): Error {
  const what = obstacle.path === path ? '' : `${quotePath(obstacle.path)} is in its way. `;
  return fileError('EEXIST', path, { hint: `${what}Nothing was imported.` });
}

async function makeIfMissing(files: Files, path: string): Promise<void> {
  try {
    await files.makeDirectory(path);
  } catch (error) {
    if (!isUtensilError(error, 'EEXIST') || (await files.stat(path))?.kind !== 'directory') throw error;
  }
}

import { isUtensilError, UtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { readBundle } from './format.ts';
import type { Bundle, BundleItem } from './format.ts';
import { fileError, quotePath } from '../file-error.ts';
import type { FileEntry, Files, ProjectFiles } from '../files.ts';
import { ancestorsOf, foldCase } from '../paths.ts';
import { walk } from '../walk.ts';

/** Options of {@link importFiles}. */
export interface ImportOptions {
  /**
   * Handling of a file that already exists: `refuse` (the default) imports nothing, `overwrite` replaces it, `skip`
   * keeps it.
   */
  readonly existing?: 'refuse' | 'overwrite' | 'skip';
  /** Maximum length of a bundle in UTF-16 code units. Default: 256 Mi. */
  readonly maxLength?: number;
  /** Maximum number of files and directories. Default: 100,000. */
  readonly maxEntries?: number;
  /** Maximum size of a file. Default: 10 MiB. */
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

/** Result of an import. */
export interface ImportResult {
  /** Number of files written. */
  readonly written: number;
  /** Paths left unchanged because something already existed there. */
  readonly skipped: readonly string[];
  /** The app's data from the bundle. Untrusted: validate it. */
  readonly sections: Readonly<Record<string, Json>>;
}

/** Atomic if there is a `batch`. */
type Target = Files & Partial<Pick<ProjectFiles, 'batch'>>;

/**
 * Writes the files of a bundle made by {@link exportFiles}. The bundle is untrusted, so all of it is validated before
 * the first write. Files with a `batch` are imported atomically.
 *
 * Throws `bundle_corrupt`, `bundle_newer`, `EFBIG`, and `EEXIST` for a file in the way.
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

/** The obstacle to creating an item, if any. */
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

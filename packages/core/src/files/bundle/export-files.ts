import { isUtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { toBase64 } from './base64.ts';
import { bundleFormat, bundleVersion } from './format.ts';
import type { BundleEntry } from './format.ts';
import type { FileEntry, Files } from '../files.ts';
import { inParallel } from '../in-parallel.ts';
import { mediaTypeOf } from '../media-type.ts';
import { isWithin } from '../paths.ts';
import { decodeText } from '../../base/text-encoding.ts';
import { walk } from '../walk.ts';

/** Options of {@link exportFiles}. */
export interface ExportOptions {
  /** Data of the app, such as settings and threads, keyed by names that the app chooses. */
  readonly sections?: Readonly<Record<string, Json>>;
  readonly signal?: AbortSignal;
}

const filesAtOnce = 16;

/**
 * Exports all files as one JSON document, conventionally named `….utensil.json`, in chunks of text for a `Blob`, a
 * stream or a download. Contents are kept byte for byte, and so are empty directories. {@link importFiles} reads it.
 *
 * Not a snapshot: changes during the export may or may not be included, and files removed meanwhile are left out.
 * Modification times are included for readers of the bundle; imported files get the time of their import.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { exportFiles, importFiles } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'buy milk');
 * const bundle = exportFiles(files, { sections: { theme: 'dark' } });
 *
 * const copy = createFiles(memoryStorage());
 * console.log((await importFiles(copy, bundle)).sections); // { theme: 'dark' }
 * ```
 */
export async function* exportFiles(
  files: Files,
  { sections = {}, signal }: ExportOptions = {},
): AsyncGenerator<string, void> {
  const head = JSON.stringify({ format: bundleFormat, version: bundleVersion, sections });
  yield `${head.slice(0, -1)},"entries":[`;
  let separator = '\n';
  const toEntry = async (entry: FileEntry): Promise<BundleEntry | undefined> => {
    signal?.throwIfAborted();
    return entry.kind === 'file' ? readEntry(files, entry.path) : { path: entry.path, directory: true };
  };
  for await (const entry of inParallel(leaves(files), filesAtOnce, toEntry)) {
    signal?.throwIfAborted();
    if (entry === undefined) continue;
    yield separator + JSON.stringify(entry);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The files, and the empty directories. */
async function* leaves(files: Files): AsyncGenerator<FileEntry, void> {
  let last: FileEntry | undefined;
  for await (const entry of walk(files, '/')) {
    if (last?.kind === 'directory' && !isWithin(last.path, entry.path)) yield last;
    if (entry.kind === 'file') yield entry;
    last = entry;
  }
  if (last?.kind === 'directory') yield last;
}

/** A file in its bundled form; undefined if the file is gone. */
async function readEntry(files: Files, at: string): Promise<BundleEntry | undefined> {
  try {
    const { path, modifiedAt, bytes } = await files.read(at);
    const entry = { path, modifiedAt, mediaType: mediaTypeOf(bytes) };
    const decoded = decodeText(bytes);
    if (decoded?.format.encoding !== 'utf-8') return { ...entry, base64: toBase64(bytes) };
    return { ...entry, text: decoded.format.bom ? `\ufeff${decoded.text}` : decoded.text };
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) return undefined;
    throw error;
  }
}

import { UtensilError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { fromBase64 } from './base64.ts';
import { quotePath } from '../file-error.ts';
import { ancestorsOf, foldCase, resolvePath } from '../paths.ts';

export const bundleFormat = 'utensil-bundle';
export const bundleVersion = 1;

/** A file or an empty directory in a bundle. */
export interface BundleEntry {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
  readonly mediaType?: string;
  /** Content that is valid UTF-8, byte order mark included. */
  readonly text?: string;
  /** Any other content, as base64. */
  readonly base64?: string;
  /** Marks an empty directory; excludes content. */
  readonly directory?: true;
}

/** An entry to create: a file with its content, or a directory. */
export interface BundleItem {
  /** Normalized path. */
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

/** A parsed and validated bundle. */
export interface Bundle {
  readonly items: readonly BundleItem[];
  readonly sections: Readonly<Record<string, Json>>;
}

/** Limits on the contents of a bundle. */
export interface BundleLimits {
  readonly maxEntries: number;
  readonly maxFileBytes: number;
}

/** Parses and validates a bundle, which is untrusted input. Throws `bundle_corrupt`, `bundle_newer`, `EFBIG`. */
export function readBundle(json: string, limits: BundleLimits): Bundle {
  const { entries, sections } = readDocument(json);
  if (entries.length > limits.maxEntries)
    throw corrupt(`It has ${entries.length} entries; the limit is ${limits.maxEntries}.`);
  const items = entries.map((entry, index) => readItem(entry, index, limits.maxFileBytes));
  refuseClashes(items);
  return { items, sections };
}

function readDocument(json: string): { readonly entries: readonly unknown[]; readonly sections: Bundle['sections'] } {
  const document = parse(json);
  if (!isObject(document) || document['format'] !== bundleFormat) throw corrupt('It does not say that it is one.');
  const { version, entries, sections = {} } = document;
  if (!Number.isSafeInteger(version) || Number(version) < 1) throw corrupt('It has no version.');
  if (Number(version) > bundleVersion) {
    const hint = `It has version ${String(version)}, and ${bundleVersion} is the latest that this version reads: update first.`;
    throw new UtensilError('bundle_newer', `bundle_newer: the bundle was made by a newer version. ${hint}`);
  }
  if (!Array.isArray(entries)) throw corrupt('It has no list of entries.');
  if (!isObject(sections)) throw corrupt('Its sections have no names.');
  return { entries, sections: sections as Bundle['sections'] };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw corrupt('It is not JSON, or not all of it: perhaps a download was interrupted.');
  }
}

function readItem(entry: unknown, index: number, maxFileBytes: number): BundleItem {
  const which = `Entry ${index + 1}`;
  if (!isObject(entry) || typeof entry['path'] !== 'string') throw corrupt(`${which} has no path.`);
  const path = readPath(entry['path'], which);
  const { text, base64, directory } = entry;
  if ([text, base64, directory].filter((each) => each !== undefined).length !== 1)
    throw corrupt(`${which}, ${quotePath(path)}, needs one of text, base64 and directory.`);
  if (directory === true) return { path, bytes: undefined };
  const bytes =
    typeof text === 'string' ? encodeWhole(text) : typeof base64 === 'string' ? fromBase64(base64) : undefined;
  if (bytes === undefined) throw corrupt(`${which}, ${quotePath(path)}, has a content that cannot be read.`);
  if (bytes.length <= maxFileBytes) return { path, bytes };
  const hint = `${quotePath(path)} has ${bytes.length} bytes; the limit is ${maxFileBytes}.`;
  throw new UtensilError('EFBIG', `EFBIG: file too large, in the bundle. ${hint}`, { path });
}

function readPath(given: string, which: string): string {
  try {
    const path = resolvePath(given);
    if (path !== '/') return path;
  } catch (cause) {
    throw corrupt(`${which} has an invalid path: ${quotePath(given)}.`, cause);
  }
  throw corrupt(`${which} is the root, which is there always.`);
}

/** The bytes of a text; undefined if it contains a lone surrogate. */
function encodeWhole(text: string): Uint8Array | undefined {
  return /\p{Cs}/u.test(text) ? undefined : new TextEncoder().encode(text);
}

/** Throws if the items cannot all exist together. */
function refuseClashes(items: readonly BundleItem[]): void {
  const spellings = new Map<string, string>();
  const taken = new Map<string, BundleItem>();
  for (const item of items) {
    if (taken.has(item.path)) throw corrupt(`It has ${quotePath(item.path)} twice.`);
    taken.set(item.path, item);
    for (const each of [...ancestorsOf(item.path), item.path]) {
      const twin = spellings.get(foldCase(each)) ?? each;
      if (twin !== each) throw corrupt(`${quotePath(each)} and ${quotePath(twin)} differ only in case.`);
      spellings.set(foldCase(each), each);
    }
  }
  for (const { path } of items) {
    const file = ancestorsOf(path).find((above) => taken.get(above)?.bytes !== undefined);
    if (file !== undefined) throw corrupt(`${quotePath(path)} is below ${quotePath(file)}, which is a file.`);
  }
}

function corrupt(hint: string, cause?: unknown): UtensilError {
  const message = `bundle_corrupt: this is no bundle of files. ${hint}`;
  return new UtensilError('bundle_corrupt', message, cause === undefined ? {} : { cause });
}

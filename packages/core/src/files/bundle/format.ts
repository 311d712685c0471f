import { UtensilError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { fromBase64 } from './base64.ts';
import { quotePath } from '../file-error.ts';
import { ancestorsOf, foldCase, resolvePath } from '../paths.ts';

export const bundleFormat = 'utensil-bundle';
export const bundleVersion = 1;

/** A file or an empty directory, as a bundle has it. */
export interface BundleEntry {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
  readonly mediaType?: string;
  /** The content, where it is UTF-8; with its byte order mark. */
  readonly text?: string;
  /** The content, where it is anything else. */
  readonly base64?: string;
  /** In place of a content. */
  readonly directory?: true;
}

/** What is to be made of an entry: a file with a content, or a directory. */
export interface BundleItem {
  /** Normal. */
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

/** A bundle that can be imported, as far as it is up to the bundle. */
export interface Bundle {
  readonly items: readonly BundleItem[];
  readonly sections: Readonly<Record<string, Json>>;
}

/** How much a bundle may have. */
export interface BundleLimits {
  readonly maxEntries: number;
  readonly maxFileBytes: number;
}

/** Reads a bundle, which may come from anybody. Throws `bundle_corrupt`, `bundle_newer`, `EFBIG`. */
export function readBundle(json: string, limits: BundleLimits): Bundle {
  const { entries, sections } = readDocument(json);
  if (entries.length > limits.maxEntries)
    throw corrupt(`It has ${entries.length} entries, and ${limits.maxEntries} are the limit.`);
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
  const hint = `${quotePath(path)} has ${bytes.length} bytes, and ${maxFileBytes} are the limit.`;
  throw new UtensilError('EFBIG', `EFBIG: file too large, in the bundle. ${hint}`, { path });
}

function readPath(given: string, which: string): string {
  try {
    const path = resolvePath(given);
    if (path !== '/') return path;
  } catch (cause) {
    throw corrupt(`${which} has a path that is none: ${quotePath(given)}.`, cause);
  }
  throw corrupt(`${which} is the root, which is there always.`);
}

/** The bytes of a text; undefined for half of a surrogate pair, which has none. */
function encodeWhole(text: string): Uint8Array | undefined {
  return /\p{Cs}/u.test(text) ? undefined : new TextEncoder().encode(text);
}

/** Throws where not all of the items could be there together. */
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

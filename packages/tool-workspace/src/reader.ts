import { isUtensilError } from '@utensil/core';
import { joinPath, nameOf } from '@utensil/core/files';
import type { FileEntry, Files } from '@utensil/core';

/** A value, immediate or later. */
export type Answer<Value> = Value | Promise<Value>;

/** An entry of a directory. */
export interface NamedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

/** Bytes of a file, or the reason that there are none: too large, no permission, or gone. */
export type Contents = Uint8Array | 'too-large' | 'unreadable' | undefined;

/** Options of {@link FileReader.readEach}. */
export interface ReadEach {
  readonly maxBytes: number;
  /** Receives the files in order. The bytes are valid only until it returns. */
  visit(path: string, contents: Contents): void;
}

/** Fast access to the names and contents of many files. Read-only. */
export interface FileReader {
  /** Entries of a directory, sorted by code units; empty if it is missing. */
  list(directory: string): Answer<readonly NamedEntry[]>;
  readEach(paths: readonly string[], each: ReadEach): Answer<void>;
}

const atOnce = 24;

/** Creates a reader of any files. */
export function readerOf(files: Files): FileReader {
  async function list(directory: string): Promise<readonly NamedEntry[]> {
    const entries: NamedEntry[] = [];
    try {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const page = await files.list(directory, after === undefined ? {} : { after });
        entries.push(...page.entries.map(named));
        after = page.next;
      }
    } catch (error) {
      if (!isUtensilError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG')) throw error;
    }
    return entries;
  }

  async function read(path: string, maxBytes: number): Promise<Contents> {
    try {
      const { bytes } = await files.read(path, { start: 0, end: maxBytes + 1 });
      return bytes.length > maxBytes ? 'too-large' : bytes;
    } catch (error) {
      if (isUtensilError(error, 'EACCES', 'content_damaged')) return 'unreadable';
      if (isUtensilError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  return {
    list,
    async readEach(paths, { maxBytes, visit }) {
      for (let start = 0; start < paths.length; start += atOnce) {
        const group = paths.slice(start, start + atOnce);
        const contents = await Promise.all(group.map((path) => read(path, maxBytes)));
        for (const [index, path] of group.entries()) visit(path, contents[index]);
      }
    },
  };
}

function named({ path, kind }: FileEntry): NamedEntry {
  return { name: nameOf(path), kind };
}

/** Whole content of one file, as a copy. */
export async function readOne(reader: FileReader, path: string, maxBytes: number): Promise<Contents> {
  let contents: Contents;
  await reader.readEach([path], {
    maxBytes,
    visit: (_, found) => {
      contents = found instanceof Uint8Array ? found.slice() : found;
    },
  });
  return contents;
}

/** The paths of the entries of a directory. */
export function pathIn(directory: string, { name }: NamedEntry): string {
  return joinPath(directory, name);
}

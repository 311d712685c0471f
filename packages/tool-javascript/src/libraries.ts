import { isUtensilError } from '@utensil/core';
import { decodeText } from '@utensil/core/files';
import type { FileEntry, Files } from '@utensil/core';

/** A JavaScript file. */
export interface Library {
  readonly name: string;
  readonly code: string;
}

/** Libraries of a project: those run before each script, and those that can be imported. */
export interface Libraries {
  readonly libraries: readonly Library[];
  readonly modules: Readonly<Record<string, string>>;
}

/** Maximum characters of all libraries together; further ones are skipped. */
const most = 8_000_000;

/** Maximum UTF-8 bytes per character: a larger file has too many characters and is not read. */
const bytesPerCharacter = 3;

/** Reads the libraries in some directories, sorted by name. Missing directories are skipped. */
export async function readLibraries(files: Files, directories: readonly string[]): Promise<Libraries> {
  const found: (Library & { readonly isDirect: boolean })[] = [];
  let characters = 0;
  for (const directory of directories) {
    for (const { path, size } of await scriptsBelow(files, directory)) {
      if (size > (most - characters) * bytesPerCharacter) continue;
      const code = await textOf(files, path);
      if (code === undefined || characters + code.length > most) continue;
      characters += code.length;
      found.push({ name: path, code, isDirect: path.lastIndexOf('/') === directory.length });
    }
  }
  return {
    libraries: found.filter(({ isDirect }) => isDirect).map(({ name, code }) => ({ name, code })),
    modules: Object.fromEntries(found.map(({ name, code }) => [name, code])),
  };
}

async function scriptsBelow(files: Files, directory: string): Promise<readonly FileEntry[]> {
  const scripts: FileEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = await pageOf(files, directory, after);
    scripts.push(...page.entries.filter(({ kind, path }) => kind === 'file' && path.endsWith('.js')));
    if (page.next === undefined) return scripts;
    after = page.next;
  }
}

async function pageOf(
  files: Files,
  directory: string,
  after: string | undefined,
): Promise<{ readonly entries: readonly FileEntry[]; readonly next?: string }> {
  try {
    return await files.list(directory, { depth: 32, ...(after !== undefined && { after }) });
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'ENOTDIR')) return { entries: [] };
    throw error;
  }
}

/** Undefined if the file is not text or has just been removed. */
async function textOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return decodeText((await files.read(path)).bytes)?.text;
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'EISDIR')) return undefined;
    throw error;
  }
}

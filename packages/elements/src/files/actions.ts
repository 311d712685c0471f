import { isUtensilError } from '@utensil/core';
import { exportFiles, importFiles, joinPath, nameOf, parentOf } from '@utensil/core/files';
import type { FileEntry, Files } from '@utensil/core';
import type { ImportResult } from '@utensil/core/files';
import { freePath } from './tree.ts';

/** A form for a path. */
export interface PathForm {
  readonly kind: 'file' | 'folder' | 'move' | 'copy';
  /** Path to move or copy. */
  readonly from?: string;
  readonly value: string;
}

/** Text that confirms a form. */
export const textOfForm = { file: 'created', folder: 'created', move: 'moved', copy: 'copied' } as const;

/** All entries of a directory, from all pages of its listing. */
export async function entriesIn(files: Files, directory: string): Promise<readonly FileEntry[]> {
  let page = await files.list(directory);
  const entries = [...page.entries];
  while (page.next !== undefined) {
    page = await files.list(directory, { after: page.next });
    entries.push(...page.entries);
  }
  return entries;
}

/** Performs the action of a form. Resolves to the resulting path. */
export async function submitForm(files: Files, { kind, from = '', value }: PathForm): Promise<string> {
  const path = value.startsWith('/') ? value : `/${value}`;
  switch (kind) {
    case 'file':
      return (await files.write(path, '', { create: 'must' })).path;
    case 'folder':
      return (await files.makeDirectory(path)).path;
    case 'move':
      return (await files.move(from, path)).path;
    case 'copy':
      return (await files.copy(from, path)).path;
  }
}

/** Uploads files to a directory under free names. Resolves to their paths. */
export async function upload(files: Files, directory: string, given: readonly File[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const file of given) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    paths.push(await writeFree(files, bytes, { directory, name: plainName(file.name) }));
  }
  return paths;
}

/** Another tab may take the name first: then the next one is tried. */
async function writeFree(
  files: Files,
  bytes: Uint8Array,
  { directory, name }: { readonly directory: string; readonly name: string },
): Promise<string> {
  const { entries } = await files.list(directory);
  const path = freePath(directory, name, entries);
  try {
    return (await files.write(path, bytes, { create: 'must' })).path;
  } catch (error) {
    if (!isUtensilError(error, 'EEXIST')) throw error;
    return writeFree(files, bytes, {
      directory,
      name: nameOf(freePath('/', name, [...entries, { path, kind: 'file', size: 0, modifiedAt: 0 }])),
    });
  }
}

/** Removes characters that paths must not have, so that the source machine cannot choose a directory. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{Cc}\p{Bidi_Control}]/gu, '_');
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain;
}

/** Exports all files as one bundle. */
export async function exported(files: Files): Promise<Blob> {
  const pieces: string[] = [];
  for await (const piece of exportFiles(files)) pieces.push(piece);
  return new Blob(pieces, { type: 'application/json' });
}

/** Imports a bundle of {@link exported}. `existing` decides about existing files. */
export async function imported(
  files: Files,
  bundle: Blob,
  existing: 'refuse' | 'overwrite' | 'skip',
): Promise<ImportResult> {
  return importFiles(files, pieces(bundle), { existing });
}

async function* pieces(bundle: Blob): AsyncGenerator<string, void> {
  const reader = bundle.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

/** Target directory for new entries: the selected directory, or that of the selected file. */
export function directoryOf(path: string | undefined, isDirectory: boolean): string {
  if (path === undefined) return '/';
  return isDirectory ? path : parentOf(path);
}

/** Suggested path for a new file or folder. */
export function proposed(directory: string, name: string): string {
  return joinPath(directory, name);
}

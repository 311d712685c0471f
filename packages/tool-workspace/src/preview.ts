import { changesPreview, isUtensilError } from '@utensil/core';
import type { Files, Preview, ProjectFiles } from '@utensil/core';
import { excerptOfChange } from '@utensil/core/edit';
import { say } from './texts.ts';

/** Maximum number of files to preview; further ones are only counted. */
const mostFiles = 50;

/** Runs work in one batch, if the files support batches. */
export function asOne<Result>(files: Files, work: (files: Files) => Promise<Result>): Promise<Result> {
  const { batch } = files as Partial<ProjectFiles>;
  return batch === undefined ? work(files) : batch(work);
}

/**
 * Changes that some work would make at and below these paths: the work runs in a batch that is then discarded.
 * Undefined if the files have no batches, or if the work fails.
 */
export async function previewOf(
  files: Files,
  paths: readonly string[],
  work: (files: Files) => Promise<unknown>,
): Promise<Preview | undefined> {
  const { batch } = files as Partial<ProjectFiles>;
  if (batch === undefined) return undefined;
  let preview: Preview | undefined;
  const dropped = new Error('Only a preview.');
  try {
    await batch(async (staged) => {
      const before = await textsAt(staged, paths);
      await work(staged);
      preview = changesPreview({ files, paths, changes: changesBetween(before, await textsAt(staged, paths)) });
      throw dropped;
    });
  } catch (error) {
    if (error !== dropped) return undefined;
  }
  return preview;
}

type Texts = ReadonlyMap<string, string>;

async function textsAt(files: Files, paths: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const all = await filesAt(files, path);
    for (const each of all.slice(0, mostFiles)) texts.set(each, await textOf(files, each));
    const count = all.length - mostFiles;
    if (count > 0) texts.set(say('moreFilesAt', { path, count }), say('notShown'));
  }
  return texts;
}

/** Files at a path: for a directory, all files below it. */
export async function filesAt(files: Files, path: string): Promise<readonly string[]> {
  const found = await files.stat(path);
  if (found === undefined) return [];
  if (found.kind === 'file') return [path];
  const all: string[] = [];
  let after: string | undefined;
  do {
    const page = await files.list(path, { depth: 32, ...(after !== undefined && { after }) });
    all.push(...page.entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path));
    after = page.next;
  } while (after !== undefined);
  return all;
}

async function textOf(files: Files, path: string): Promise<string> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (!isUtensilError(error, 'binary_file')) throw error;
    const found = await files.stat(path);
    return `(binary, ${found?.size ?? 0} bytes, ${versionOf(found?.etag ?? '')})`;
  }
}

function changesBetween(before: Texts, after: Texts): Preview['changes'] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) return [];
    const change = { ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
    return [{ path, ...excerptOfChange(change) }];
  });
}

/** Version as shown to models: the end of an etag, where counters, times and hashes all differ. */
export function versionOf(etag: string): string {
  return etag.slice(-12);
}

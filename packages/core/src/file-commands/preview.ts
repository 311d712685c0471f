import { isUtensilError } from '../base/errors.ts';
import { changesPreview } from '../tool/changes-preview.ts';
import { excerptOfChange } from '../files/edit/change-excerpt.ts';
import type { Files, ProjectFiles } from '../files/files.ts';
import type { Preview } from '../tool/presentation.ts';

/** Maximum number of files to show; the rest is counted. */
const mostFiles = 50;

/**
 * Determines the changes that some work would make at or below these paths: runs it in a batch that is rolled back.
 * Undefined if the files do not support batches, or the work fails.
 */
export async function previewChanges(
  files: Files,
  paths: readonly string[],
  work: (files: Files) => Promise<boolean>,
): Promise<Preview | undefined> {
  const { batch } = files as Partial<ProjectFiles>;
  if (batch === undefined) return undefined;
  let before: Texts = new Map();
  let after: Texts | undefined;
  const undo = new Error('Only a preview.');
  try {
    await batch(async (staged) => {
      before = await textsBelow(staged, paths); // a consistent snapshot, whatever is written meanwhile
      after = (await work(staged)) ? await textsBelow(staged, paths) : undefined;
      throw undo;
    });
  } catch (error) {
    if (error !== undo) return undefined;
  }
  return after && changesPreview({ files, paths, changes: changesBetween(before, after) });
}

/** By path; for a binary file, a short description. */
type Texts = ReadonlyMap<string, string>;

async function textsBelow(files: Files, paths: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const all = await filesBelow(files, path);
    for (const file of all.slice(0, mostFiles)) texts.set(file, await textOf(files, file));
    const count = all.length - mostFiles;
    if (count > 0) texts.set(`${path} (and ${count.toLocaleString('en')} more)`, '(not shown)');
  }
  return texts;
}

async function filesBelow(files: Files, path: string): Promise<readonly string[]> {
  const found = await files.stat(path);
  if (found === undefined) return [];
  if (found.kind === 'file') return [found.path];
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
    const { size, etag } = (await files.stat(path)) ?? { size: 0, etag: '' };
    return `(binary, ${size} bytes, ${etag})`;
  }
}

function changesBetween(before: Texts, after: Texts): Preview['changes'] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) return [];
    const change = { ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
    return [{ path, ...excerptOfChange(change) }];
  });
}

import { foldCase, nameOf, parentOf, resolvePath } from '@utensil/core';
import type { OpenProject } from '../projects.ts';
import { walkFiles } from '../walk.ts';

/** What notes are kept in. */
const isNote = /\.(?:md|markdown|mdx|txt|org)$/i;

/** A larger file is no note. */
export const mostNoteBytes = 2_000_000;

/** The paths of all notes, in order. */
export async function notesOf(project: OpenProject, under: string, signal: AbortSignal): Promise<readonly string[]> {
  const notes: string[] = [];
  for await (const paths of walkFiles(project.reader, { under, signal })) {
    notes.push(...paths.filter((path) => isNote.test(path)));
  }
  return notes;
}

/** The name by which notes link to each other. */
export function titleOf(path: string): string {
  return nameOf(path).replace(isNote, '');
}

/** The notes that a name means: `Plans`, `work/Plans`, `work/Plans.md` or `[[Plans]]`. */
export function notesNamed(notes: readonly string[], given: string): readonly string[] {
  const name = given
    .replace(/^\[\[|\]\]$/g, '')
    .replace(/[#|].*$/s, '')
    .trim()
    .replace(/^\.?\/+/, '');
  const wanted = foldCase(name.replace(isNote, '').normalize('NFC'));
  if (wanted === '') return [];
  const fits = notes.filter((path) => {
    const without = foldCase(path.slice(1).replace(isNote, ''));
    return without === wanted || without.endsWith(`/${wanted}`);
  });
  const exact = fits.filter((path) => path === `/${name}` || foldCase(path.slice(1).replace(isNote, '')) === wanted);
  return exact.length === 1 ? exact : fits;
}

/** A link from one note to another, as it is written. */
export interface NoteLink {
  readonly kind: 'wiki' | 'path';
  readonly target: string;
}

/** The links of a note: `[[Plans]]`, `[[Plans#Today|today]]`, `[today](plans.md)`. Those of the web are none. */
export function linksIn(text: string): readonly NoteLink[] {
  const links: NoteLink[] = [];
  for (const [, wiki, path] of text.matchAll(/\[\[([^[\]\n]{1,300})\]\]|\]\(([^()\s]{1,500})\)/g)) {
    if (wiki !== undefined) links.push({ kind: 'wiki', target: wiki });
    else if (path !== undefined && !/^[a-z][a-z\d+.-]*:|^#/i.test(path)) links.push({ kind: 'path', target: path });
  }
  return links;
}

/** The note that a link leads to, of those that there are. */
export function linkedNote(notes: readonly string[], from: string, link: NoteLink): string | undefined {
  if (link.kind === 'wiki') return notesNamed(notes, link.target)[0];
  try {
    const path = decodeURIComponent(link.target.replace(/[#?].*$/s, ''));
    const resolved = resolvePath(path.startsWith('/') ? path : `${parentOf(from)}/${path}`);
    return notes.find((each) => each === resolved);
  } catch {
    return undefined; // it is no path
  }
}

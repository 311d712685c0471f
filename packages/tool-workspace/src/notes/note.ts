import { foldCase, nameOf, parentOf, resolvePath } from '@utensil/core/files';
import type { OpenProject } from '../projects.ts';
import { walkFiles } from '../walk.ts';

/** File names of notes. */
const isNote = /\.(?:md|markdown|mdx|txt|org)$/i;

/** True for the path of a Markdown or text file. */
export function isNotePath(path: string): boolean {
  return isNote.test(path);
}

/** Maximum size of a note, in bytes. */
export const mostNoteBytes = 2_000_000;

/** Paths of all notes, in order. */
export async function notesOf(project: OpenProject, under: string, signal: AbortSignal): Promise<readonly string[]> {
  const notes: string[] = [];
  for await (const paths of walkFiles(project.reader, { under, signal })) {
    notes.push(...paths.filter((path) => isNote.test(path)));
  }
  return notes;
}

/** Name that links use for a note. */
export function titleOf(path: string): string {
  return nameOf(path).replace(isNote, '');
}

/** Index of all notes by the names that lead to them. */
export interface NoteNames {
  /** Notes that a name refers to: `Plans`, `work/Plans`, `work/Plans.md` or `[[Plans]]`. */
  named(given: string): readonly string[];
  has(path: string): boolean;
}

/** Builds the index in one pass, because there may be many links. */
export function noteNames(notes: readonly string[]): NoteNames {
  const paths = new Set(notes);
  const ends = new Map<string, string[]>();
  for (const path of notes) {
    const names = keyOf(path.slice(1)).split('/');
    for (const index of names.keys()) {
      const end = names.slice(index).join('/');
      const known = ends.get(end);
      if (known === undefined) ends.set(end, [path]);
      else known.push(path);
    }
  }
  return {
    has: (path) => paths.has(path),
    named(given) {
      const name = given
        .replace(/^\[\[|\]\]$/g, '')
        .replace(/[#|].*$/s, '')
        .trim()
        .replace(/^\.?\/+/, '');
      if (paths.has(`/${name}`)) return [`/${name}`];
      const wanted = keyOf(name.normalize('NFC'));
      const fits = ends.get(wanted) ?? [];
      const exact = fits.filter((path) => keyOf(path.slice(1)) === wanted);
      return exact.length === 1 ? exact : fits;
    },
  };
}

function keyOf(name: string): string {
  return foldCase(name.replace(isNote, ''));
}

/** A link to another note, as written. */
export interface NoteLink {
  readonly kind: 'wiki' | 'path';
  readonly target: string;
}

/** Links in a note: `[[Plans]]`, `[[Plans#Today|today]]`, `[today](plans.md)`. Web links are ignored. */
export function linksIn(text: string): readonly NoteLink[] {
  const links: NoteLink[] = [];
  for (const [, wiki, path] of text.matchAll(/\[\[([^[\]\n]{1,300})\]\]|\]\(([^()\s]{1,500})\)/g)) {
    if (wiki !== undefined) links.push({ kind: 'wiki', target: wiki });
    else if (path !== undefined && !/^[a-z][a-z\d+.-]*:|^#/i.test(path)) links.push({ kind: 'path', target: path });
  }
  return links;
}

/** Target of a link among the existing notes. */
export function linkedNote(notes: NoteNames, from: string, link: NoteLink): string | undefined {
  if (link.kind === 'wiki') return notes.named(link.target)[0];
  try {
    const path = decodeURIComponent(link.target.replace(/[#?].*$/s, ''));
    const resolved = resolvePath(path.startsWith('/') ? path : `${parentOf(from)}/${path}`);
    return notes.has(resolved) ? resolved : undefined;
  } catch {
    return undefined; // not a path
  }
}

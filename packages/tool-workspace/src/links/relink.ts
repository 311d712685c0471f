import { isWithin, nameOf } from '@utensil/core/files';
import { pathOf, readDestination, writeDestination } from './destination.ts';
import { linksOf, wikiLinksIn } from './parse-links.ts';
import { readWikiLink, writeWikiName } from './wiki-link.ts';
import type { ParseRoom } from './parse-links.ts';
import type { WikiNames } from './wiki-link.ts';

/** A move of a file or directory. */
export interface Route {
  readonly from: string;
  readonly to: string;
}

/** Path of a file after a move. */
export function movedPath(path: string, { from, to }: Route): string {
  return isWithin(from, path) ? to + path.slice(from.length) : path;
}

/** A move, with the indexes and lookups needed to update links. */
export interface Relinking extends Route {
  readonly before: WikiNames;
  readonly after: WikiNames;
  /** True if there is a file or directory before the move. */
  exists(path: string): boolean | Promise<boolean>;
  pause(): Promise<void> | undefined;
  /** Time to parse all notes; without it, each has its own. */
  readonly room?: ParseRoom;
}

/** A note with updated links. */
export interface RelinkedNote {
  readonly text: string;
  /** Number of updated links. */
  readonly count: number;
  /** Names that wiki links cannot contain, to which links would have to lead. */
  readonly lost: readonly string[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Updates the links of a note so that each leads to the same file after the move. `note` is its path before the move.
 * Undefined if the note takes the parser too long.
 */
export async function relink(text: string, note: string, move: Relinking): Promise<RelinkedNote | undefined> {
  if (!mayChange(text, note, move)) return { text, count: 0, lost: [] };
  const links = await linksOf(text, move.pause, move.room);
  if (links === undefined) return undefined;
  const edits: Edit[] = [];
  const lost: string[] = [];
  for (const { kind, start, end } of links) {
    await move.pause();
    const written = text.slice(start, end);
    const edit = kind === 'wiki' ? wikiEdit(written, move) : await pathEdit(written, note, move);
    if (edit === undefined) continue;
    if ('lost' in edit) lost.push(edit.lost);
    else edits.push({ start: start + edit.start, end: start + edit.end, text: edit.text });
  }
  return { text: applied(text, edits), count: edits.length, lost };
}

/** Characters that are not written as themselves in a destination. */
const encoded = /%[\da-f]{2}|&[#\da-z]+;|\\/i;

/** False if no link in a note can change: then it is not parsed. Most notes do not mention what is moved. */
function mayChange(text: string, note: string, move: Relinking): boolean {
  if (isWithin(move.from, note) || encoded.test(text)) return true;
  if (text.normalize('NFC').includes(nameOf(move.from))) return true;
  for (const { start, end } of wikiLinksIn(text)) if (wikiEdit(text.slice(start, end), move) !== undefined) return true;
  return false;
}

async function pathEdit(written: string, note: string, move: Relinking): Promise<Edit | undefined> {
  const destination = readDestination(written);
  const path = destination && pathOf(destination, note);
  if (destination === undefined || path === undefined) return undefined;
  const [target, moved] = [movedPath(path, move), movedPath(note, move)];
  if (pathOf(destination, moved) === target || !(await move.exists(path))) return undefined;
  return { start: 0, end: written.length, text: writeDestination(target, moved, destination) };
}

function wikiEdit(written: string, move: Relinking): Edit | { readonly lost: string } | undefined {
  const link = readWikiLink(written);
  const path = link && move.before.find(link.name);
  if (link === undefined || path === undefined) return undefined;
  const target = movedPath(path, move);
  if (move.after.find(link.name) === target) return undefined;
  const name = writeWikiName(target, link.name, move.after);
  return name === undefined ? { lost: target } : { start: link.start, end: link.end, text: name };
}

function applied(text: string, edits: readonly Edit[]): string {
  let [result, done] = ['', 0];
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}

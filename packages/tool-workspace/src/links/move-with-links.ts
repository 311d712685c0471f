import { isUtensilError } from '@utensil/core';
import { decodeText, effectAt, isWithin } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { mostNoteBytes } from '../notes/note.ts';
import { shownPath } from '../path.ts';
import { filesAt } from '../preview.ts';
import type { OpenProject } from '../projects.ts';
import { bytesLike } from '../stored-text.ts';
import { say } from '../texts.ts';
import { createYielder, walkFiles } from '../walk.ts';
import { mostCost } from './parse-cost.ts';
import { movedPath, relink } from './relink.ts';
import type { Relinking, Route } from './relink.ts';
import { wikiNames } from './wiki-link.ts';

/** Limits: notes to look through, their bytes in total, notes to change, and the time to parse all of them. */
const most = { notes: 10_000, bytes: 100_000_000, changes: 1_000, cost: 20 * mostCost } as const;

const isMarkdown = /\.(?:md|markdown|mdx)$/i;

/** A move with the notes in which links have to be updated. */
export interface LinkedMove extends Route {
  readonly overwrite: boolean;
}

/** Moves and updates links, with notes found in advance. */
export interface LinkPlan {
  /** Paths of the notes to change, before the move. */
  readonly notes: readonly string[];
  /** Moves, updates the links, and returns a report for the model. */
  apply(files: Files): Promise<string>;
}

/** Finds the notes in which a move changes links. Nothing is changed. */
export async function planMove(project: OpenProject, move: LinkedMove, signal?: AbortSignal): Promise<LinkPlan> {
  const scan = await scanned(project, move, signal);
  return {
    notes: scan.notes,
    async apply(files) {
      await files.move(move.from, move.to, { overwrite: move.overwrite });
      const changed: { readonly path: string; readonly count: number }[] = [];
      const refused: string[] = [];
      for (const note of scan.notes) {
        const path = movedPath(note, move);
        const count = await updateLinks(files, { note, path, relinking: scan.relinking });
        if (count === undefined) refused.push(path);
        else if (count > 0) changed.push({ path, count });
      }
      return reportOf(changed, refused, scan);
    },
  };
}

interface Update {
  /** Paths before and after the move. */
  readonly note: string;
  readonly path: string;
  readonly relinking: Relinking;
}

/** Updates the links of a note, which may have changed since it was found. Returns their number; undefined if it cannot be written. */
async function updateLinks(files: Files, { note, path, relinking }: Update): Promise<number | undefined> {
  if ((await files.stat(path))?.kind !== 'file') return 0;
  const { bytes, etag } = await files.read(path);
  const done = await relink(decodeText(bytes)?.text ?? '', note, relinking);
  if (done === undefined || done.count === 0) return 0;
  try {
    await files.write(path, bytesLike(done.text, bytes), { ifMatch: etag });
  } catch (error) {
    if (isUtensilError(error, 'EROFS', 'EACCES', 'ECONFLICT')) return undefined; // files of another mount, or changed now
    throw error;
  }
  return done.count;
}

interface Scan {
  readonly notes: readonly string[];
  readonly relinking: Relinking;
  /** Notes that were not looked through. */
  readonly unread: readonly string[];
  /** Notes that are instructions, and therefore not changed. */
  readonly instructions: readonly string[];
  /** Paths that wiki links cannot name. */
  readonly lost: readonly string[];
  readonly problem?: string;
}

async function scanned(project: OpenProject, move: LinkedMove, signal?: AbortSignal): Promise<Scan> {
  const all = await pathsOf(project, move.from, signal);
  const notes = all.filter((path) => isMarkdown.test(path) && (path !== move.to || isWithin(move.from, path)));
  const existing = new Map<string, boolean>();
  const pause = createYielder();
  const relinking: Relinking = {
    ...move,
    before: wikiNames(all),
    after: wikiNames(inOrder(new Set(all.map((path) => movedPath(path, move))))),
    exists: (path) => existing.get(path) ?? false,
    pause() {
      signal?.throwIfAborted();
      return pause();
    },
  };
  const looking: Relinking = {
    ...relinking,
    room: { left: most.cost },
    async exists(path) {
      const isThere = existing.get(path) ?? (await project.files.stat(path)) !== undefined;
      existing.set(path, isThere);
      return isThere;
    },
  };
  const none = { relinking, notes: [], unread: [], instructions: [], lost: [] };
  if (notes.length > most.notes) return { ...none, problem: say('linksTooManyNotes', { limit: most.notes }) };
  const found = { notes: [] as string[], unread: [] as string[], instructions: [] as string[] };
  const lost = new Set<string>();
  let room: number = most.bytes;
  for await (const { path, text, size } of textsOf(project, notes)) {
    await looking.pause();
    room -= size;
    if (room < 0) return { ...none, problem: say('linksTooMuchText', { limit: most.bytes / 1_000_000 }) };
    const done = text === undefined ? undefined : await relink(text, path, looking);
    for (const each of done?.lost ?? []) lost.add(each);
    if (done === undefined) found.unread.push(path);
    else if (done.count > 0) found[isClosed(path, move) ? 'instructions' : 'notes'].push(path);
  }
  const count = found.notes.length;
  if (count > most.changes) return { ...none, problem: say('linksTooManyChanges', { count, limit: most.changes }) };
  return { ...found, lost: [...lost], relinking };
}

interface NoteText {
  readonly path: string;
  /** Undefined if it cannot be read, or is too large. */
  readonly text: string | undefined;
  /** In bytes. */
  readonly size: number;
}

/** Texts of notes, without those that are gone. */
async function* textsOf({ reader }: OpenProject, notes: readonly string[]): AsyncGenerator<NoteText> {
  for (let start = 0; start < notes.length; start += 16) {
    const texts: NoteText[] = [];
    await reader.readEach(notes.slice(start, start + 16), {
      maxBytes: mostNoteBytes,
      visit: (path, contents) => {
        const [text, size] = contents instanceof Uint8Array ? [decodeText(contents)?.text, contents.length] : [];
        if (contents !== undefined) texts.push({ path, text, size: size ?? 0 });
      },
    });
    yield* texts;
  }
}

/** True if a note holds instructions, and the call was not declared as one that may change them. */
function isClosed(note: string, move: LinkedMove): boolean {
  const mayInstruct = move.overwrite || effectAt('write', [move.from, move.to]) !== 'write';
  return !mayInstruct && effectAt('write', [movedPath(note, move)]) !== 'write';
}

/** All files, with those at the source even if they are ignored. */
async function pathsOf({ files, reader }: OpenProject, from: string, signal?: AbortSignal): Promise<string[]> {
  const all = new Set<string>();
  for await (const paths of walkFiles(reader, { under: '/', ...(signal !== undefined && { signal }) }))
    for (const path of paths) all.add(path);
  for (const path of await filesAt(files, from)) all.add(path);
  return inOrder(all);
}

/** Sorted as in a listing: the first of several notes with the same name is the one that a link leads to. */
function inOrder(paths: ReadonlySet<string>): string[] {
  const keys = Array.from(paths, (path) => ({ path, key: path.replaceAll('/', '\0') }));
  return keys.toSorted((left, right) => (left.key < right.key ? -1 : 1)).map(({ path }) => path);
}

/** Maximum number of paths in each list of a report. */
const mostNamed = 20;

function reportOf(
  changed: readonly { readonly path: string; readonly count: number }[],
  refused: readonly string[],
  { unread, instructions, lost, problem }: Scan,
): string {
  const count = changed.reduce((sum, each) => sum + each.count, 0);
  const places = changed.map((each) => `${shownPath(each.path)} (${each.count})`);
  const lines = [
    problem !== undefined && say('linksNotUpdated', { problem }),
    problem === undefined && count === 0 && refused.length === 0 && say('linksNone'),
    count > 0 && say('linksUpdated', { count, files: changed.length, paths: named(places) }),
    refused.length > 0 && say('linksRefused', { paths: named(refused.map(shownPath)) }),
    instructions.length > 0 && say('linksInInstructions', { paths: named(instructions.map(shownPath)) }),
    lost.length > 0 && say('linksLost', { paths: named(lost.map(shownPath)) }),
    unread.length > 0 && say('linksUnread', { paths: named(unread.map(shownPath)) }),
  ];
  return lines.filter((line) => line !== false).join('\n');
}

function named(paths: readonly string[]): string {
  const rest = paths.length - mostNamed;
  return paths.slice(0, mostNamed).join(', ') + (rest > 0 ? say('andMore', { count: rest }) : '');
}

import { matchGlob } from '@utensil/core/files';
import type { LineFinder } from '../pattern/line-finder.ts';
import type { OpenProject } from '../projects.ts';
import type { Contents } from '../reader.ts';
import { createYielder, matchingPaths, walkFiles } from '../walk.ts';
import { snippetsOf } from './snippet.ts';
import type { Snippet } from './snippet.ts';
import { utf8Of } from './utf8.ts';

/** Options of a search. */
export interface Scan {
  readonly finder: LineFinder;
  /** Directories and files to search, as normalized paths. */
  readonly places: readonly Place[];
  /** Only files whose paths match. */
  readonly glob?: string;
  readonly includeIgnored: boolean;
  /** True if one match per file is enough. */
  readonly isOneEnough: boolean;
  /** Lines before and after each match in snippets. */
  readonly context: number;
  /** Number of snippets to keep with their lines; beyond that, matches are only counted. */
  readonly mostSnippets: number;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

/** A directory or a file. */
export interface Place {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

/** A file with matches. */
export interface FileHits {
  readonly path: string;
  /** Number of matching lines. */
  readonly count: number;
  readonly snippets: readonly Snippet[];
}

/** Result of a search. */
export interface Found {
  readonly files: readonly FileHits[];
  /** Number of matching lines in all files. */
  readonly lines: number;
  readonly searched: number;
  readonly tooLarge: readonly string[];
  readonly unreadable: readonly string[];
  /** `.gitignore` files of which some patterns were skipped. */
  readonly cutRules: ReadonlySet<string>;
  /** True if the search stopped early. */
  readonly isCut: boolean;
}

/** Limits at which a search stops. */
const most = { lines: 100_000, files: 5_000 } as const;

/** Searches the files of a project, in path order. */
export async function scanProject({ reader }: OpenProject, scan: Scan): Promise<Found> {
  const found = { files: [] as FileHits[], lines: 0, searched: 0, snippets: 0 };
  const tooLarge: string[] = [];
  const unreadable: string[] = [];
  const isFull = (): boolean => found.lines >= most.lines || found.files.length >= most.files;

  function visit(path: string, contents: Contents): void {
    if (contents === undefined || isFull() || scan.signal.aborted) return;
    if (contents === 'too-large') tooLarge.push(path);
    else if (contents === 'unreadable') unreadable.push(path);
    else {
      found.searched++;
      const hits = hitsIn(contents, path, { ...scan, mostSnippets: scan.mostSnippets - found.snippets });
      if (hits === undefined) return;
      found.files.push(hits);
      found.lines += hits.count;
      found.snippets += hits.snippets.length;
    }
  }

  const pause = createYielder();
  const seen = new Set<string>();
  const cutRules = new Set<string>();
  for (const place of scan.places) {
    const matches = scan.glob === undefined ? undefined : matchGlob(scan.glob, { under: directoryOf(place) });
    for await (const paths of filesAt(reader, place, { ...scan, cutRules })) {
      scan.signal.throwIfAborted();
      await pause();
      const wanted = scan.places.length === 1 ? paths : paths.filter((path) => !seen.has(path) && seen.add(path));
      const group =
        matches === undefined ? wanted : await matchingPaths(wanted, matches, { pause, signal: scan.signal });
      await reader.readEach(group, { maxBytes: scan.maxFileBytes, visit });
      if (isFull()) break;
    }
  }
  const { files, lines, searched } = found;
  return { files, lines, searched, tooLarge, unreadable, cutRules, isCut: isFull() };
}

function directoryOf({ path, kind }: Place): string {
  return kind === 'directory' ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

type Walking = Pick<Scan, 'includeIgnored' | 'signal'> & { readonly cutRules: Set<string> };

async function* filesAt(
  reader: OpenProject['reader'],
  { path, kind }: Place,
  { includeIgnored, signal, cutRules }: Walking,
): AsyncGenerator<readonly string[], void> {
  if (kind === 'file') yield [path];
  else yield* walkFiles(reader, { under: path, includeIgnored, signal, cutRules });
}

function hitsIn(contents: Uint8Array, path: string, scan: Scan): FileHits | undefined {
  const bytes = utf8Of(contents);
  const first = scan.finder(bytes, 0);
  if (first === undefined || (bytes === contents && bytes.includes(0))) return undefined;
  if (scan.isOneEnough) return { path, count: 1, snippets: [] };
  const hits = [first];
  let count = 1;
  for (let hit = scan.finder(bytes, first.next); hit !== undefined; hit = scan.finder(bytes, hit.next)) {
    count++;
    if (hits.length < mostKept) hits.push(hit);
    if (count >= most.lines) break;
  }
  const snippets = snippetsOf(bytes, hits, { context: scan.context, most: scan.mostSnippets });
  return { path, count, snippets };
}

/** Maximum number of matches of a file to keep for snippets. */
const mostKept = 200;

import { defineTool, option, result, UtensilError } from '@utensil/core';
import { decodeText } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import * as z from 'zod/mini';
import { optionalNumber, optionalPaths, optionalText, projectField } from './fields.ts';
import { sectionsOf } from './notes/chunk.ts';
import type { Chunk } from './notes/chunk.ts';
import { frontMatterTags } from './notes/front-matter.ts';
import { mostNoteBytes, notesOf, titleOf } from './notes/note.ts';
import { candidateOf, rank } from './notes/rank.ts';
import type { Candidate, Ranked } from './notes/rank.ts';
import { isTag, queryWords } from './notes/words.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import type { OpenProject } from './projects.ts';
import { say } from './texts.ts';
import { createYielder } from './walk.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    query: optionalText('Words that the notes should contain, in the language of the notes, with tags as #project.'),
    salient_terms: z.optional(
      z.array(z.string()).check(z.describe("More words: relevant ones from the user's text, and tags.")),
    ),
    since: optionalText('Only notes changed since then (UTC): 2026-01-31 or 2026-01-31T09:00.'),
    until: optionalText('Only notes changed until then (UTC), inclusive.'),
    paths: optionalPaths('Only in these directories. Default: all notes.'),
    limit: optionalNumber('At most this many notes. Default 30, and 100 for a tag or a time.', 1, 100),
  }),
);

/** Maximum lines of a ranked section, and characters of a shown one. */
const [sectionLines, excerptLength] = [60, 1_500];

interface Hit extends Ranked {
  readonly modifiedAt: number;
}

/**
 * Finds notes by shared words; each note once, with its best section. There is no index and no semantic search: notes
 * are read on each search and ranked by BM25.
 */
export const searchNotesTool = /* @__PURE__ */ defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Finds notes (Markdown and text files) by words and tags, and by when they were changed. Ranked by shared words, not by meaning: try other words if nothing fits. Cite the notes used for an answer.',
  input,
  options: {
    maxCharacters: option.number({
      label: 'Maximum characters of notes to show',
      default: 60_000,
      min: 2_000,
      max: 448_000,
      step: 1_000,
    }),
  },
  ui: { subtitle: 'Finds notes by words, tags and time', icon: '🗒️', category: 'notes' },
  effects: 'read',
  idempotent: true,
  role: { type: 'search', query: 'query' },
  outputLimit: 460_000,
  requires: { projects },
  execute: async (given, { maxCharacters }, { host, signal }) => {
    const range = { since: timeOf(given.since, false), until: timeOf(given.until, true) };
    const hasRange = range.since !== undefined || range.until !== undefined;
    const query = queryWords([given.query ?? '', ...(given.salient_terms ?? [])].join(' '));
    if (query.length === 0 && !hasRange) throw new UtensilError('EINVAL', say('emptyQuery'));
    const project = await openProject(host.projects, given.project);
    const ranked = rank(await candidatesIn(project, { query, places: given.paths ?? ['.'], signal }), query);
    const hits = await datedHits(project.files, ranked, range);
    const sorted = query.length > 0 ? hits : hits.toSorted((left, right) => right.modifiedAt - left.modifiedAt);
    const usual = hasRange || query.every(isTag) ? 100 : 30;
    const shown = within(sorted.slice(0, given.limit ?? usual), maxCharacters);
    const sources = shown.map(({ path }) => shownPath(path));
    return result({
      output: {
        notes: shown.map(({ path, chunk, score, modifiedAt }) => ({
          path: shownPath(path),
          headings: [...chunk.headings],
          line: chunk.first,
          score: Number(score.toFixed(2)),
          modifiedAt,
        })),
        more: sorted.length - shown.length,
      },
      parts: [
        { type: 'text', text: textOf(shown, { sources, more: sorted.length - shown.length, query: given.query }) },
      ],
    });
  },
  render: { title: ({ query }) => `Search notes${typeof query === 'string' ? `: ${query}` : ''}` },
});

interface Search {
  readonly query: readonly string[];
  readonly places: readonly string[];
  readonly signal: AbortSignal;
}

async function candidatesIn(project: OpenProject, { query, places, signal }: Search): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    (places.length === 0 ? ['.'] : places).map((place) => notesOf(project, readPath(place), signal)),
  );
  const notes = [...new Set(found.flat())];
  const candidates: Candidate[] = [];
  const pause = createYielder();
  for (let start = 0; start < notes.length; start += 64) {
    signal.throwIfAborted();
    await pause();
    await project.reader.readEach(notes.slice(start, start + 64), {
      maxBytes: mostNoteBytes,
      visit: (path, contents) => {
        const text = contents instanceof Uint8Array ? decodeText(contents)?.text : undefined;
        if (text !== undefined) candidates.push(...sectionsIn(path, text, query));
      },
    });
  }
  return candidates;
}

/** Sections of a note; empty if the query has tags that the note lacks. */
function sectionsIn(path: string, text: string, query: readonly string[]): readonly Candidate[] {
  const title = [titleOf(path), ...frontMatterTags(text)].join(' ');
  const all = sectionsOf(text, sectionLines).map((chunk) => candidateOf({ path, title, chunk }, query));
  const hasTag = all.some(({ counts }) => query.some((word, index) => isTag(word) && (counts[index] ?? 0) > 0));
  return hasTag || !query.some(isTag) ? all : [];
}

interface Range {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** Notes changed within a time range; without a query, all of them. */
async function datedHits(files: Files, ranked: readonly Ranked[], { since, until }: Range): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (let start = 0; start < ranked.length; start += 24) {
    const group = ranked.slice(start, start + 24);
    const stats = await Promise.all(group.map(({ path }) => files.stat(path)));
    for (const [index, each] of group.entries()) {
      const modifiedAt = stats[index]?.modifiedAt;
      if (modifiedAt === undefined || modifiedAt < (since ?? -Infinity) || modifiedAt > (until ?? Infinity)) continue;
      hits.push({ ...each, modifiedAt });
    }
  }
  return hits;
}

/** The longest prefix of hits that fits the budget. */
function within(hits: readonly Hit[], characters: number): readonly Hit[] {
  let room = characters;
  return hits.filter((hit, index) => (room -= excerptOf(hit.chunk).length + 100) >= 0 || index === 0);
}

function excerptOf({ lines }: Chunk): string {
  const text = lines.join('\n').trim();
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

interface Shown {
  readonly sources: readonly string[];
  readonly more: number;
  readonly query: string | undefined;
}

function textOf(hits: readonly Hit[], { sources, more, query = '' }: Shown): string {
  if (hits.length === 0) return `${say('noNotes', { query })} ${say('noteMethod')}`;
  const notes = hits.map(({ path, chunk, score, modifiedAt }) => {
    const heading = chunk.headings.length === 0 ? '' : ` › ${chunk.headings.join(' › ')}`;
    const values = { path: shownPath(path), heading, score: score.toFixed(2), date: dateOf(modifiedAt) };
    return [say('noteHit', values), excerptOf(chunk), say('noteEnd')].join('\n');
  });
  const rest = more > 0 ? [say('moreNotes', { count: more })] : [];
  return [...notes, ...rest, say('noteMethod'), say('noteSources', { sources: sources.join(', ') })].join('\n');
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A time in milliseconds since 1970; for a day, its start or end. Throws `EINVAL`. */
function timeOf(text: string | undefined, isEnd: boolean): number | undefined {
  if (text === undefined || text === '') return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = Date.parse(isDay || /(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(time)) throw new UtensilError('EINVAL', say('timeRange', { text }));
  return isDay && isEnd ? time + 86_399_999 : time;
}

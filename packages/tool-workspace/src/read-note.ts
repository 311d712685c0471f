import { defineTool, isUtensilError, result } from '@utensil/core';
import { decodeText } from '@utensil/core/files';
import type { FileBytes, JsonObject, TextPart } from '@utensil/core';
import * as z from 'zod/mini';
import { optionalNumber, pathField, projectField } from './fields.ts';
import { chunksOf } from './notes/chunk.ts';
import { linkedNote, linksIn, mostNoteBytes, noteNames, notesOf } from './notes/note.ts';
import type { NoteNames } from './notes/note.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import type { OpenProject } from './projects.ts';
import { say } from './texts.ts';
import { createYielder } from './walk.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    path: pathField('The path of the note, or its name as used in links: work/Plans.md, Plans, [[Plans]].'),
    chunk_index: optionalNumber('Part of a long note, from 0. Default 0.', -1, 1_000_000),
  }),
);

const [chunkLines, mostLinks] = [200, 50];

/** Reads a note by path or name, in parts of 200 lines, with its links in both directions. */
export const readNoteTool = /* @__PURE__ */ defineTool({
  name: 'read_note',
  title: 'Read a note',
  description:
    'Reads a note by its path or name, in parts of 200 lines, with the headings they are under, the notes that it links to and those that link to it.',
  input,
  ui: { subtitle: 'Reads a note and its links', icon: '🗒️', category: 'notes' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async ({ project: name, path: given, chunk_index: index = 0 }, _options, { host, signal }) => {
    const project = await openProject(host.projects, name);
    const notes = await notesOf(project, '/', signal);
    const names = noteNames(notes);
    const found = await find(project, names, given);
    if ('problem' in found) return answer(found.problem);
    const text = decodeText(found.file.bytes)?.text;
    const path = shownPath(found.file.path);
    if (text === undefined) return answer(problem('not_text', say('noteNotText'), { path }));
    if (text.trim() === '') return answer(problem('empty', say('noteEmpty'), { path }));
    const chunks = chunksOf(text, chunkLines);
    const chunk = chunks[index];
    if (index < 0) return answer(problem('invalid_chunk_index', say('noteChunkIndex'), { path }));
    if (chunk === undefined)
      return answer(problem('out_of_range', say('noteOutOfRange', { index, last: chunks.length - 1 }), { path }));
    const links = linksIn(text).map((link) => linkedNote(names, found.file.path, link) ?? link.target);
    const linked = [...new Set(links)].filter((each) => each !== found.file.path);
    const backlinks = index === 0 ? await backlinksTo(project, found.file.path, { notes, names, signal }) : undefined;
    const hasMore = index + 1 < chunks.length;
    const head = {
      status: 'ok',
      path,
      heading: chunk.headings.join(' › '),
      chunkIndex: index,
      totalChunks: chunks.length,
      hasMore,
      ...(hasMore && { nextChunkIndex: index + 1 }),
      linkedNotes: linked.slice(0, mostLinks).map((each) => (each.startsWith('/') ? shownPath(each) : each)),
      ...(backlinks !== undefined && { backlinks: backlinks.slice(0, mostLinks).map(shownPath) }),
      modifiedAt: new Date(found.file.modifiedAt).toISOString(),
    };
    const key = `note:${project.name}:${path}:${index}`;
    const content: TextPart = {
      type: 'text',
      text: [`>>>>> NOTE: ${path}`, ...chunk.lines, say('noteEnd')].join('\n'),
      resource: { key, etag: found.file.etag },
    };
    return result({ output: head, parts: [{ type: 'text', text: JSON.stringify(head) }, content] });
  },
  render: { title: 'Read note {path}' },
});

type Found = { readonly file: FileBytes } | { readonly problem: JsonObject };

function problem(status: string, message: string, more: JsonObject = {}): JsonObject {
  return { status, message, ...more };
}

/** Any status other than `ok`: the model can act on it, but the call has failed. */
function answer(output: JsonObject) {
  return result({ output, isError: true });
}

async function find(project: OpenProject, notes: NoteNames, given: string): Promise<Found> {
  const named = /^\[\[.*\]\]$/s.test(given.trim()) ? given.trim() : given;
  let path: string;
  try {
    path = readPath(named.replace(/^\[\[|\]\]$/g, ''));
  } catch (error) {
    if (isUtensilError(error, 'EINVAL', 'ENAMETOOLONG')) return { problem: problem('invalid_path', error.message) };
    throw error;
  }
  const isFile = (await project.files.stat(path))?.kind === 'file';
  const fits = isFile ? [path] : notes.named(named);
  const [only, another] = fits;
  if (only === undefined) return { problem: problem('not_found', say('noteNotFound', { path: given })) };
  if (another !== undefined) {
    const candidates = fits.slice(0, 20).map(shownPath);
    return { problem: problem('not_unique', say('noteNotUnique', { path: given }), { candidates }) };
  }
  return { file: await project.files.read(only) };
}

interface Backlinks {
  readonly notes: readonly string[];
  readonly names: NoteNames;
  readonly signal: AbortSignal;
}

async function backlinksTo(
  { reader }: OpenProject,
  path: string,
  { notes, names, signal }: Backlinks,
): Promise<readonly string[]> {
  const linking: string[] = [];
  const pause = createYielder();
  for (let start = 0; start < notes.length; start += 16) {
    signal.throwIfAborted();
    await pause();
    await reader.readEach(notes.slice(start, start + 16), {
      maxBytes: mostNoteBytes,
      visit: (from, contents) => {
        if (from === path || !(contents instanceof Uint8Array)) return;
        const links = linksIn(decodeText(contents)?.text ?? '');
        if (links.some((link) => linkedNote(names, from, link) === path)) linking.push(from);
      },
    });
  }
  return linking;
}

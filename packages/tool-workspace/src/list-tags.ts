import { defineTool, result } from '@utensil/core';
import { decodeText } from '@utensil/core/files';
import type { TextPart } from '@utensil/core';
import * as z from 'zod/mini';
import { optionalNumber, optionalPaths, projectField } from './fields.ts';
import { mostNoteBytes, notesOf } from './notes/note.ts';
import { tagsIn } from './notes/tags.ts';
import { readPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const most = 500;

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    paths: optionalPaths('Only of the notes in these directories. Default: of all notes.'),
    limit: optionalNumber(`At most this many tags. Default and most: ${most}.`, 1, most),
  }),
);

/** Lists the tags of notes with their frequencies. */
export const listTagsTool = /* @__PURE__ */ defineTool({
  name: 'list_tags',
  title: 'List tags',
  description:
    'Lists the tags of the notes with their counts, most frequent first. search_notes finds the notes with a tag.',
  input,
  ui: { subtitle: 'Lists the tags of notes', icon: '🏷️', category: 'notes' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async ({ project: name, paths, limit = most }, _options, { host, signal }) => {
    const project = await openProject(host.projects, name);
    const counts = new Map<string, { readonly tag: string; count: number }>();
    const places = paths === undefined || paths.length === 0 ? ['.'] : paths;
    const found = await Promise.all(places.map((place) => notesOf(project, readPath(place), signal)));
    const notes = [...new Set(found.flat())];
    for (let start = 0; start < notes.length; start += 64) {
      signal.throwIfAborted();
      await project.reader.readEach(notes.slice(start, start + 64), {
        maxBytes: mostNoteBytes,
        visit: (_path, contents) => {
          const text = contents instanceof Uint8Array ? decodeText(contents)?.text : undefined;
          for (const tag of tagsIn(text ?? '')) {
            const key = tag.toLowerCase();
            const known = counts.get(key);
            if (known === undefined) counts.set(key, { tag, count: 1 });
            else known.count++;
          }
        },
      });
    }
    const sorted = [...counts.values()].toSorted(
      (left, right) => right.count - left.count || (left.tag < right.tag ? -1 : 1),
    );
    const tags = sorted.slice(0, limit);
    const more = sorted.length - tags.length;
    return result({ output: { tags, more }, parts: [shown(tags, more)] });
  },
  render: { title: 'List tags' },
});

function shown(tags: readonly { readonly tag: string; readonly count: number }[], more: number): TextPart {
  const lines = tags.map(({ tag, count }) => say('tagLine', { tag, count }));
  const rest = more > 0 ? [say('moreTags', { count: more })] : [];
  return { type: 'text', text: tags.length === 0 ? say('noTags') : [...lines, ...rest].join('\n') };
}

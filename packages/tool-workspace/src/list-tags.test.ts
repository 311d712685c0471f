import { runTool, textOf } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { listTagsTool, searchNotesTool } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';
import { tagsIn } from './notes/tags.ts';

describe('list_tags', () => {
  it('[S4-23] lists at most 500 tags of notes with how many have each, and those can be searched for', async () => {
    const { host, ask } = await workspaceOf({
      'Plans.md': '---\ntags: [work/utensil, plans]\n---\n# Plans\nA #garden, and #garden again.\n',
      'Ideas.md': 'A boat. #someday #Garden\n',
      'daily/Notes.txt': '#garden\n',
      'code.ts': '#none\n',
    });
    const tags = async (input: JsonObject = {}) => (await runTool(listTagsTool, input, { host })).output;
    expect(await tags()).toEqual({
      tags: [
        { tag: '#Garden', count: 3 },
        { tag: '#plans', count: 1 },
        { tag: '#someday', count: 1 },
        { tag: '#work/utensil', count: 1 },
      ],
      more: 0,
    });
    expect(await tags({ paths: ['daily'] })).toEqual({ tags: [{ tag: '#garden', count: 1 }], more: 0 });
    expect((await ask(listTagsTool, { limit: 1 })).text).toBe(
      '#Garden (3)\n[There are 3 more tags, which fewer notes have.]',
    );
    expect((await ask(searchNotesTool, { query: '#garden' })).text).toMatch(/\nSources: .*Ideas\.md/);

    const many = await workspaceOf({ 'All.md': Array.from({ length: 501 }, (_, index) => `#t${index}`).join(' ') });
    const { output, modelParts } = await runTool(listTagsTool, {}, { host: many.host });
    expect((output as { tags: unknown[]; more: number }).tags).toHaveLength(500);
    expect(textOf(modelParts)).toMatch(/\n\[There are 1 more tags, which fewer notes have\.\]$/);
    expect((await runTool(listTagsTool, { limit: 501 }, { host: many.host })).isError).toBe(true);
  });

  it('says so if there are none', async () => {
    const { ask } = await workspaceOf({ 'a.md': 'No tag here.' });
    expect((await ask(listTagsTool, {})).text).toBe('No note has a tag.');
  });
});

describe('tags of a note', () => {
  it.each([
    ['words behind a sign', '#a b #c-d/e_f, #日本\n#g', ['#a', '#c-d/e_f', '#日本', '#g']],
    ['not numbers alone', '#1 #2026 #2026-01 #y2026', ['#y2026']],
    ['no headings, anchors and the like', '# A\n## B\n[c](#d) e#f https://x/#g (#h)', []],
    ['nothing in code', 'a `#b` c\n```css\n#d\n```\n#e\n```\n#f', ['#e']],
    ['there once each, in whatever case', '---\ntags: Work\n---\n#work #WORK', ['#Work']],
  ])('are %s', (_, text, tags) => {
    expect(tagsIn(text)).toEqual(tags);
  });

  it('are found in any text, in time that grows with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const tag of tagsIn(text)) expect(tag).toMatch(/^#\S/);
      }),
    );
    for (const piece of ['`', '```', '#', ' #', '#a', '---\ntags:', '#1/'])
      expect(tagsIn(piece.repeat(200_000)).length).toBeLessThan(3);
  }, 30_000);
});

describe('the suite for every tool: list_tags', () => {
  toolSuite({ test }, listTagsTool, {
    host: async () => (await workspaceOf({ 'a.md': '#a' })).host,
    examples: [{}, { paths: ['.'], limit: 5 }],
  });
});

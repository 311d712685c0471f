import { runTool } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { projectsOf, readNoteTool, searchNotesTool } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';

const vault = {
  'Plans.md':
    '---\ntags: [work/utensil, plans]\n---\n# Plans\nSee [[Ideas|my ideas]].\n\n## Garden\nPlant tomatoes in May.\n',
  'Ideas.md': '# Ideas\nA garden, a boat. #someday\n[Plans](Plans.md) [web](https://example.com)\n',
  'daily/2026-01-31.md': 'Tomatoes, tomatoes, tomatoes: a recipe.\n',
  'daily/Ideas.md': 'Other ideas.\n',
  'code.ts': 'const tomatoes = 1;\n',
  'Empty.md': '\n',
  'データ.md': '東京の天気は晴れです。\n',
};

describe('search_notes', () => {
  it('[S4-15] ranks notes by words, each once with its best section, keeps tags, bounds what it shows and cites sources', async () => {
    const { ask, host } = await workspaceOf(vault);
    const paths = async (input: JsonObject) => {
      const { output } = await runTool(searchNotesTool, input, { host });
      return (output as { notes: { path: string }[] }).notes.map(({ path }) => path);
    };
    expect(await paths({ query: 'tomatoes' })).toEqual(['daily/2026-01-31.md', 'Plans.md']);
    expect(await paths({ query: 'the garden', salient_terms: ['boat', 'ideas'] })).toEqual([
      'Ideas.md',
      'Plans.md',
      'daily/Ideas.md',
    ]);
    expect(await paths({ query: '#someday' })).toEqual(['Ideas.md']);
    expect(await paths({ query: '#work' })).toEqual(['Plans.md']);
    expect(await paths({ query: '天気' })).toEqual(['データ.md']);
    expect(await paths({ query: 'tomatoes', paths: ['daily'] })).toEqual(['daily/2026-01-31.md']);
    const { text } = await ask(searchNotesTool, { query: 'plant tomatoes', limit: 1 });
    expect(text).toMatch(
      /^>>>>> NOTE: Plans.md › Plans › Garden \(score [\d.]+, changed \d{4}-\d\d-\d\d\)\n## Garden\nPlant/,
    );
    expect(text).toContain('[1 more notes match');
    expect(text).toMatch(/\nSources: Plans.md$/);
    const long = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}.md`, `needle ${'word '.repeat(2_000)}`]),
    );
    const bounded = await workspaceOf(long);
    const { modelParts } = await runTool(
      searchNotesTool,
      { query: 'needle' },
      { host: bounded.host, options: { maxCharacters: 10_000 } },
    );
    const shown = modelParts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(shown.length).toBeLessThan(12_000);
    expect(shown).toContain('44 more notes match');
  });

  it('keeps to a range of time, in which the newest come first', async () => {
    const { files } = await workspaceOf(vault);
    const days: Record<string, number> = { '/Plans.md': 1, '/Ideas.md': 2, '/daily/Ideas.md': 3 };
    const dated = {
      ...files,
      stat: async (path: string) => {
        const found = await files.stat(path);
        return found && { ...found, modifiedAt: Date.UTC(2026, 0, days[path] ?? 20, 12) };
      },
    };
    const host = { projects: projectsOf({ notes: { files: dated } }) };
    const found = async (input: Record<string, string>) => {
      const { output } = await runTool(searchNotesTool, input, { host });
      return typeof output === 'string'
        ? output
        : (output as { notes: { path: string }[] }).notes.map(({ path }) => path);
    };
    expect(await found({ since: '2026-01-01', until: '2026-01-03' })).toEqual([
      'daily/Ideas.md',
      'Ideas.md',
      'Plans.md',
    ]);
    expect(await found({ query: 'ideas', until: '2026-01-02T11:00' })).toEqual(['Plans.md']);
    expect(await found({ since: 'yesterday' })).toContain("'yesterday' is not a time");
    expect(await found({ query: ' ' })).toContain('The query is empty');
  });
});

describe('read_note', () => {
  it('[S4-18] reads parts of 200 lines with headings and links, and names each way in which it cannot', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => (index === 210 ? '## Later' : `line ${index + 1}`));
    const { host } = await workspaceOf({
      ...vault,
      'Long.md': `# Long\n${lines.join('\n')}\n`,
      'bin.md': new Uint8Array([0]),
    });
    const read = async (path: string, chunk_index?: number) =>
      (await runTool(readNoteTool, { path, ...(chunk_index !== undefined && { chunk_index }) }, { host })).output as {
        readonly [name: string]: unknown;
      };
    expect(await read('Plans.md')).toMatchObject({
      status: 'ok',
      path: 'Plans.md',
      chunkIndex: 0,
      totalChunks: 1,
      hasMore: false,
      linkedNotes: ['Ideas.md'],
      backlinks: ['Ideas.md'],
      modifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(await read('Long')).toMatchObject({ heading: 'Long', totalChunks: 3, hasMore: true, nextChunkIndex: 1 });
    expect(await read('[[Long]]', 2)).toMatchObject({ heading: 'Long › Later', chunkIndex: 2, hasMore: false });
    expect(await read('../x')).toMatchObject({ status: 'invalid_path' });
    expect(await read('Nothing')).toMatchObject({ status: 'not_found' });
    expect(await read('ideas')).toMatchObject({ status: 'ok', path: 'Ideas.md' });
    expect(await read('daily/ideas')).toMatchObject({ status: 'ok', path: 'daily/Ideas.md' });
    expect(await read('Empty')).toMatchObject({ status: 'empty' });
    expect(await read('Long', 3)).toMatchObject({
      status: 'out_of_range',
      message: 'There is no part 3: the last one is 2.',
    });
    expect(await read('Long', -1)).toMatchObject({ status: 'invalid_chunk_index' });
    expect(await read('bin.md')).toMatchObject({ status: 'not_text' });
    const twice = await workspaceOf({ 'a/Note.md': 'a', 'b/Note.md': 'b' });
    const { output, isError } = await runTool(readNoteTool, { path: 'Note' }, { host: twice.host });
    expect(output).toMatchObject({ status: 'not_unique', candidates: ['a/Note.md', 'b/Note.md'] });
    expect(isError).toBe(true);
    expect((await runTool(readNoteTool, { path: 'a/Note' }, { host: twice.host })).isError).toBe(false);
  });
});

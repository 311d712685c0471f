import { createFiles, createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { Files, JsonObject } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { filesystemTool } from './filesystem.ts';

async function answer(files: Files, input: JsonObject): Promise<{ text: string; isError: boolean }> {
  const { output, isError } = await runTool(filesystemTool, input, { host: { files } });
  return { text: String(output), isError };
}

describe('its description', () => {
  const descriptionWith = (noLineNumbers: boolean) => {
    const settings = { ...emptySettings, tools: { filesystem: { enabled: true, options: { noLineNumbers } } } };
    const toolset = resolveToolset(createRegistry([filesystemTool]), settings, { files: createFiles(memoryStorage()) });
    const [definition] = toolset.definitions({ api: 'openai-responses' });
    return definition?.type === 'function' ? definition.description : '';
  };

  it('[D0-10] promises the limit that there is', async () => {
    expect(descriptionWith(false)).toContain('Output is truncated after 16,000 characters');
    const files = createFiles(memoryStorage());
    await files.write('/whole.txt', 'x'.repeat(16_000 - 7));
    await files.write('/cut.txt', 'x'.repeat(16_001));
    expect((await answer(files, { command: 'view', path: '/whole.txt' })).text).not.toContain('truncated');
    expect((await answer(files, { command: 'view', path: '/cut.txt' })).text).toContain('truncated');
  });

  it('mentions line numbers only if there are any', () => {
    expect(descriptionWith(false)).toContain('with its lines numbered');
    expect(descriptionWith(true)).not.toContain('numbered');
  });
});

describe('what a view shows', () => {
  const line = fc.string({ maxLength: 400 }).map((text) => text.replaceAll(/[\n\0]/g, ' '));

  it('[D0-13] is bounded, and the notes lead through the whole file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 300 }), async (lines) => {
        const files = createFiles(memoryStorage());
        await files.write('/a.txt', `${lines.join('\n')}\n`);
        const seen: string[] = [];
        for (let range: number[] | undefined = [1, -1]; range !== undefined;) {
          const { text } = await answer(files, { command: 'view', path: '/a.txt', view_range: range });
          expect(text.length).toBeLessThan(16_300);
          const [, ...shown] = text.split('\n');
          const next = /view_range \[(\d+), -1\]/.exec(
            /^\[Content truncated: .*\]$/.exec(shown.at(-1) ?? '')?.[0] ?? '',
          );
          seen.push(...(next === null ? shown : shown.slice(0, -1)).map((each) => each.replace(/^ *\d+\t/, '')));
          range = next === null ? undefined : [Number(next[1]), -1];
        }
        expect(seen).toEqual(lines);
      }),
      { numRuns: 30 },
    );
  });

  it('[D0-13] shares the limit between the files of view-all', async () => {
    const files = createFiles(memoryStorage());
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}.txt`);
    for (const path of paths) await files.write(path, 'some words on a line\n'.repeat(1000));
    const { text } = await answer(files, { command: 'view-all', paths });
    expect(text.length).toBeLessThan(20_000);
    expect(text.match(/\[Content truncated: /g)).toHaveLength(10);
  });
});

describe('any sequence of edits', () => {
  const name = fc.constantFrom('/a.md', '/b.md', '/dir/c.md');
  const text = fc.constantFrom('one\n', 'two', '$&', 'one\ntwo\n', '$1\n', '');
  const edit = fc.oneof(
    fc.record({ command: fc.constant('create' as const), path: name, file_text: text, overwrite: fc.boolean() }),
    fc.record({ command: fc.constant('append' as const), path: name, file_text: text }),
    fc.record({ command: fc.constant('str_replace' as const), path: name, old_str: text, new_str: text }),
    fc.record({
      command: fc.constant('insert' as const),
      path: name,
      insert_line: fc.integer({ min: -1, max: 4 }),
      insert_text: text,
    }),
    fc.record({ command: fc.constant('delete' as const), path: name }),
    fc.record({
      command: fc.constantFrom('rename' as const, 'copy' as const),
      old_path: name,
      new_path: name,
      overwrite: fc.boolean(),
    }),
  );
  type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

  it('[S0-47] leaves what a plain model of it leaves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 25 }), async (edits) => {
        const files = createFiles(memoryStorage());
        let model: Contents = {};
        for (const each of edits) {
          const after = applied(model, each);
          const { isError, text: said } = await answer(files, { ...each });
          expect(isError, `${JSON.stringify(each)}: ${said}`).toBe(after === undefined);
          model = after ?? model;
        }
        expect(await contentsOf(files)).toEqual(model);
      }),
    );
  });

  type Contents = Readonly<Record<string, string>>;

  /** Expected result of an edit; undefined if it is refused. */
  function applied(model: Contents, each: Edit): Contents | undefined {
    if ('old_path' in each) {
      const { [each.old_path]: content, ...others } = model;
      if (content === undefined || each.old_path === each.new_path) return undefined;
      if (model[each.new_path] !== undefined && !each.overwrite) return undefined;
      return { ...(each.command === 'rename' ? others : model), [each.new_path]: content };
    }
    const { [each.path]: content, ...others } = model;
    if (each.command === 'append') return { ...model, [each.path]: (content ?? '') + each.file_text };
    if (each.command === 'create') {
      return content === undefined || each.overwrite ? { ...model, [each.path]: each.file_text } : undefined;
    }
    if (content === undefined) return undefined;
    if (each.command === 'delete') return others;
    if (each.command === 'str_replace') {
      const [before = '', after, ...more] = content.split(each.old_str);
      if (each.old_str === '' || after === undefined || more.length > 0) return undefined;
      return { ...model, [each.path]: before + each.new_str + after };
    }
    const inserted = insertedInto(content, each);
    return inserted === undefined ? undefined : { ...model, [each.path]: inserted };
  }

  function insertedInto(
    content: string,
    { insert_line: at, insert_text: what }: { insert_line: number; insert_text: string },
  ) {
    const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
    if (at < 0 || at > lines.length) return undefined;
    const all = [...lines.slice(0, at), what.replace(/\n$/, ''), ...lines.slice(at)].join('\n');
    const endsOpen =
      at === lines.length ? content !== '' && !content.endsWith('\n') && !what.endsWith('\n') : !content.endsWith('\n');
    return endsOpen ? all : `${all}\n`;
  }

  async function contentsOf(files: Files): Promise<Contents> {
    const { entries } = await files.list('/', { depth: 32 });
    const texts = entries
      .filter(({ kind }) => kind === 'file')
      .map(async ({ path }) => [path, (await files.readText(path)).text] as const);
    return Object.fromEntries(await Promise.all(texts));
  }
});

describe('the suite for every tool', () => {
  toolSuite({ test }, filesystemTool, {
    host: async () => {
      const files = createFiles(memoryStorage());
      await files.write('/a.md', 'one\n');
      return { files };
    },
    examples: [
      { command: 'view', path: '/' },
      { command: 'create', path: '/b/c.md', file_text: 'two' },
      { command: 'delete', path: '/a.md' },
    ],
  });
});

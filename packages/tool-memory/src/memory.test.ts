import { createFiles, createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { Files, JsonObject, Toolset } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { memoryTool } from './memory.ts';

const apis = ['anthropic-messages', 'openai-responses', 'openai-chat', 'gemini', 'ollama-chat', 'text'] as const;

function toolsetFor(options: { readonly [id: string]: boolean }, files: Files = createFiles(memoryStorage())): Toolset {
  const settings = { ...emptySettings, tools: { memory: { enabled: true, options } } };
  return resolveToolset(createRegistry([memoryTool]), settings, { files });
}

async function seenBy(api: string, options: { readonly [id: string]: boolean }) {
  const toolset = toolsetFor(options);
  const [definition] = toolset.definitions({ api });
  const prompts = await toolset.prompts({ model: { api, id: 'any' }, projectId: 'any' });
  return { definition, prompts };
}

describe('the definition and the prompt', () => {
  it('[S0-07] is the tool of the vendor on Anthropic, without a prompt', async () => {
    const { definition, prompts } = await seenBy('anthropic-messages', {});
    expect(definition).toEqual({
      type: 'native',
      name: 'memory',
      definition: { type: 'memory_20250818', name: 'memory' },
    });
    expect(prompts).toEqual([]);
  });

  it.each(apis)('[S0-07] is an ordinary tool with a prompt on %s with useSystemPrompt', async (api) => {
    const { definition, prompts } = await seenBy(api, { useSystemPrompt: true });
    expect(definition).toMatchObject({ type: 'function', name: 'memory' });
    expect(prompts).toEqual([expect.stringMatching(/^## Memory\n/)]);
  });

  it.each(apis.slice(1))('[S0-07] is an ordinary tool with a prompt on %s', async (api) => {
    const { definition, prompts } = await seenBy(api, {});
    expect(definition).toMatchObject({ type: 'function', name: 'memory' });
    expect(prompts).toEqual([expect.stringMatching(/^## Memory\n/)]);
  });

  it.each(apis)(
    '[A0-02] is native and silent on %s only if that is Anthropic and useSystemPrompt is off',
    async (api) => {
      for (const useSystemPrompt of [false, true]) {
        const { definition, prompts } = await seenBy(api, { useSystemPrompt });
        const isNative = api === 'anthropic-messages' && !useSystemPrompt;
        expect({ type: definition?.type, prompts: prompts.length }).toEqual({
          type: isNative ? 'native' : 'function',
          prompts: isNative ? 0 : 1,
        });
      }
    },
  );

  it('asks for one flat object, of which only the command is required', async () => {
    const { definition } = await seenBy('openai-responses', {});
    const schema = definition?.type === 'function' ? definition.inputSchema : {};
    expect(schema['required']).toEqual(['command']);
    const types = Object.values(schema['properties'] as JsonObject).map((property) => (property as JsonObject)['type']);
    expect(new Set(types)).toEqual(new Set(['string', 'array', 'integer', 'boolean']));
  });
});

describe('what a call does', () => {
  it.each([
    [{ command: 'view', path: 'a.md' }, 'read', 'View a.md'],
    [{ command: 'view-all', paths: ['a.md', 'b.md', 'c.md'] }, 'read', 'View a.md and 2 more'],
    [{ command: 'create', path: 'a.md', file_text: '' }, 'write', 'Create a.md'],
    [{ command: 'create', path: 'a.md', file_text: '', overwrite: true }, 'destructive', 'Create a.md'],
    [{ command: 'str_replace', path: 'a.md', old_str: 'a' }, 'write', 'Edit a.md'],
    [{ command: 'insert', path: 'a.md', insert_line: 0, insert_text: 'a' }, 'write', 'Edit a.md'],
    [{ command: 'append', path: 'a.md', file_text: '' }, 'write', 'Append to a.md'],
    [{ command: 'mkdir', path: 'a' }, 'write', 'Make directory a'],
    [{ command: 'delete', path: 'a.md' }, 'destructive', 'Delete a.md'],
    [{ command: 'rename', old_path: 'a.md', new_path: 'b.md' }, 'write', 'Rename a.md to b.md'],
    [{ command: 'rename', old_path: 'a.md', new_path: 'b.md', overwrite: true }, 'destructive', 'Rename a.md to b.md'],
    [{ command: 'copy', old_path: 'a.md', new_path: 'b.md', overwrite: null }, 'write', 'Copy a.md to b.md'],
    [{ command: 'undo' }, 'read', 'Memory'],
  ])('%j', async (input, effects, title) => {
    expect(await toolsetFor({}).prepare({ name: 'memory', input })).toMatchObject({ effects, title });
  });

  it('is the same for the calls of the tool of the vendor', async () => {
    const files = createFiles(memoryStorage());
    const toolset = toolsetFor({}, files);
    const seen: unknown[] = [];
    for (const input of [
      { command: 'create', path: '/memories/a.md', file_text: 'one\nthree\n' },
      { command: 'insert', path: '/memories/a.md', insert_line: 1, insert_text: 'two\n' },
      { command: 'str_replace', path: '/memories/a.md', old_str: 'three', new_str: 'four' },
      { command: 'rename', old_path: '/memories/a.md', new_path: '/memories/b.md' },
      { command: 'view', path: '/memories/b.md', view_range: [2, 3] },
      { command: 'delete', path: '/memories/b.md' },
    ]) {
      seen.push((await runTool(memoryTool, input, { host: { files } })).output);
      expect(await toolset.prepare({ name: 'memory', input })).toMatchObject({ input, repairs: [] });
    }
    expect(seen).toEqual([
      'File created successfully at: /memories/a.md',
      'The file /memories/a.md has been edited.',
      'The memory file has been edited.\n     1\tone\n     2\ttwo\n     3\tfour',
      'Successfully renamed /memories/a.md to /memories/b.md',
      "Here's the content of /memories/b.md with line numbers:\n     2\ttwo\n     3\tfour",
      'Successfully deleted /memories/b.md',
    ]);
  });

  it('repairs what weak models send', async () => {
    const host = { files: createFiles(memoryStorage()) };
    await host.files.write('/memories/a.md', 'one\ntwo\nthree\n');
    const seen = async (input: JsonObject) => (await runTool(memoryTool, input, { host })).output;
    expect(await seen({ command: 'view', path: 'a.md', view_range: '[2, 2]' })).toMatch(/\n {5}2\ttwo$/);
    expect(await seen({ command: 'view-all', paths: 'a.md' })).toMatch(/^=== \/memories\/a\.md ===\n/);
    expect(await seen({ command: 'insert', path: 'a.md', insert_line: '0', insert_text: 'zero' })).toMatch(/^The file/);
  });
});

describe('whatever it is called with', () => {
  const piece = fc.constantFrom(
    'memories',
    'a',
    '..',
    '.',
    '',
    ' ',
    '%2e%2e',
    '..%2f',
    '\\',
    '..\\',
    'é',
    '~',
    '\u202e',
    'b.md',
  );
  const path = fc
    .array(piece, { minLength: 1, maxLength: 8 })
    .chain((pieces) => fc.constantFrom(pieces.join('/'), `/${pieces.join('/')}`, `/memories/${pieces.join('/')}`));
  const call = fc.oneof(
    fc.record({
      command: fc.constantFrom('create', 'append'),
      path,
      file_text: fc.constant('x'),
      overwrite: fc.boolean(),
    }),
    fc.record({ command: fc.constantFrom('delete', 'mkdir'), path }),
    fc.record({ command: fc.constantFrom('rename', 'copy'), old_path: path, new_path: path, overwrite: fc.boolean() }),
    fc.record({ command: fc.constant('str_replace'), path, old_str: fc.constant('x'), new_str: fc.constant('y') }),
    fc.record({ command: fc.constant('insert'), path, insert_line: fc.constant(0), insert_text: fc.constant('y') }),
  );

  it('[D0-01] changes nothing outside of /memories, and does not remove it', async () => {
    const outside = async (files: Files) =>
      (await files.list('/', { depth: 32 })).entries.filter((entry) => !`${entry.path}/`.startsWith('/memories/'));
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
        const files = createFiles(memoryStorage());
        for (const each of ['/a', '/b.md', '/memories-evil/a', '/memories/b.md']) await files.write(each, 'x');
        const before = await outside(files);
        for (const input of calls) await runTool(memoryTool, input, { host: { files } });
        expect(await outside(files)).toEqual(before);
        expect(await files.stat('/memories')).toMatchObject({ kind: 'directory' });
      }),
    );
  });

  it('[D0-01] shows nothing that is outside of /memories', async () => {
    const short = fc
      .array(fc.constantFrom('..', 'a', 'memories'), { minLength: 1, maxLength: 4 })
      .chain((names) => fc.constantFrom(names.join('/'), `/${names.join('/')}`, `/memories/${names.join('\\')}`));
    await fc.assert(
      fc.asyncProperty(short, async (each) => {
        const files = createFiles(memoryStorage());
        for (const name of ['/a', '/b.md']) await files.write(name, 'a secret');
        const { output } = await runTool(memoryTool, { command: 'view', path: each }, { host: { files } });
        expect(output).not.toContain('a secret');
      }),
      { numRuns: 300 },
    );
  });
});

describe('the suite for every tool', () => {
  toolSuite({ test }, memoryTool, {
    host: async () => {
      const files = createFiles(memoryStorage());
      await files.write('/memories/a.md', 'one\n');
      return { files };
    },
    examples: [
      { command: 'view', path: '/memories' },
      { command: 'create', path: '/memories/b.md', file_text: 'two' },
      { command: 'str_replace', path: '/memories/a.md', old_str: 'one', new_str: 'two' },
    ],
  });
});

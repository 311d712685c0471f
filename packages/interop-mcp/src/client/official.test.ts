import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textOf } from '@utensil/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mounted, official } from '../test-kit/sources.ts';
import type { Mounted } from '../test-kit/sources.ts';

let directory: string;
let everything: Mounted;
let filesystem: Mounted;
let memory: Mounted;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'utensil-mcp-'));
  await writeFile(join(directory, 'note.txt'), 'Remember the milk.');
  [everything, filesystem, memory] = await Promise.all([
    mounted(official('everything')),
    mounted(official('filesystem', { args: [directory] })),
    mounted(official('memory', { env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') } })),
  ]);
});

afterAll(async () => {
  await Promise.all([everything, filesystem, memory].map(({ unmount }) => unmount()));
  await rm(directory, { recursive: true });
});

describe('the official servers', () => {
  it('bring all of their tools, each of which can be used', () => {
    expect(everything.names()).toContain('x_echo');
    expect(filesystem.names()).toContain('x_read_text_file');
    expect(memory.names()).toContain('x_create_entities');
    const all = [everything, filesystem, memory];
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
    expect(all.flatMap(({ toolset }) => toolset().unavailable)).toEqual([]);
  });

  it('read and write files, and what the model sees of a result is there once', async () => {
    const read = await filesystem.call('x_read_text_file', { path: join(directory, 'note.txt') });
    expect(read).toMatchObject({ isError: false, output: { content: 'Remember the milk.' } });
    expect(textOf(read.modelParts)).toBe('Remember the milk.');
    await filesystem.call('x_write_file', { path: join(directory, 'new.txt'), content: 'new' });
    expect(await readFile(join(directory, 'new.txt'), 'utf8')).toBe('new');
  });

  it('say in a result that the model can correct what was wrong with a call', async () => {
    const outside = await filesystem.call('x_read_text_file', { path: '/etc/passwd' });
    expect(outside).toMatchObject({ isError: true, code: 'tool_failed' });
    expect(textOf(outside.modelParts)).toContain('Access denied');
  });

  it('get roots, and read nothing outside of them through a link', async () => {
    const project = join(directory, 'project');
    await mkdir(project);
    await writeFile(join(project, 'in.txt'), 'inside');
    await symlink(directory, join(project, 'out'));
    const roots = [{ uri: pathToFileURL(project).href }];
    const rooted = await mounted(official('filesystem'), { roots });
    const read = (path: string) => rooted.call('x_read_text_file', { path: join(project, path) });
    let inside = await read('in.txt');
    while (inside.isError) inside = await read('in.txt'); // it asks for the roots after it has been listed
    expect(inside).toMatchObject({ output: { content: 'inside' } });
    for (const path of ['out/note.txt', '../note.txt']) {
      const { isError, modelParts } = await read(path);
      expect(isError).toBe(true);
      expect(textOf(modelParts)).toContain('Access denied');
    }
    await rooted.unmount();
  });

  it('give images as images', async () => {
    const { modelParts } = await everything.call('x_get-tiny-image');
    expect(modelParts.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
  });

  it('give structured output once, where a text says the same', async () => {
    const { output, modelParts } = await everything.call('x_get-structured-content', { location: 'New York' });
    expect(output).toHaveProperty('temperature');
    expect(JSON.parse(textOf(modelParts))).toEqual(output);
  });

  it('tell how far they are', async () => {
    const updates: unknown[] = [];
    const options = { progress: (update: unknown) => void updates.push(update) };
    const { isError } = await everything.call('x_trigger-long-running-operation', { duration: 0.3, steps: 3 }, options);
    expect(isError).toBe(false);
    expect(updates).toContainEqual(expect.objectContaining({ progress: 2, total: 3 }));
  });

  it('do not run a call whose input is not valid', async () => {
    expect(await everything.call('x_get-sum', { a: 'one' })).toMatchObject({ isError: true, code: 'invalid_input' });
  });
});

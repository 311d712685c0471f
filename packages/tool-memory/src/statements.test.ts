import { createFiles, createRegistry, emptySettings, resolveToolset, runTool, textOf } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { memoryTool } from './memory.ts';

it('[S4-23] takes a statement at the end of a file, lets the file be written again, says so with its path, and keeps it for other chats', async () => {
  const files = createFiles(memoryStorage());
  const call = async (input: JsonObject) => {
    const { modelParts, isError } = await runTool(memoryTool, input, { host: { files } });
    return [isError, textOf(modelParts)];
  };
  const path = 'README.md';
  const told = [false, expect.stringContaining('/memories/README.md')];
  expect(await call({ command: 'append', path, file_text: 'Likes rye bread.\n' })).toEqual(told);
  expect(await call({ command: 'append', path, file_text: 'Has an oven.\n' })).toEqual(told);
  const saved = 'Likes rye bread.\nHas an oven.\n';
  expect((await files.readText('/memories/README.md')).text).toBe(saved);
  const anew = { command: 'str_replace', path, old_str: saved, new_str: 'Bakes rye bread in an oven.\n' };
  expect(await call(anew)).toEqual([false, expect.any(String)]);
  expect(await call({ command: 'delete', path })).toEqual(told);
  expect(await call({ command: 'create', path, file_text: 'Bakes rye bread in an oven.\n' })).toEqual(told);

  const toolset = resolveToolset(createRegistry([memoryTool]), emptySettings, { files });
  const prompts = await toolset.prompts({ model: { api: 'openai-chat', id: 'any' }, projectId: 'another' });
  expect(prompts).toEqual([expect.stringContaining('Bakes rye bread in an oven.')]);
  expect(prompts.join()).not.toContain('Has an oven.');
  expect(await call({ command: 'append', path: '../x', file_text: 'x' })).toEqual([true, expect.any(String)]);
});

import { createFiles, createRegistry, emptySettings, resolveToolset, run, textOf } from '@utensil/core';
import type { ToolResultPart } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import {
  editFileTool,
  globFilesTool,
  listFilesTool,
  projectsOf,
  readFilesTool,
  searchFilesTool,
  writeFileTool,
} from './index.ts';

it('[S1-03] has tools that write, edit, read, find and search files and show folders, which a model can use in one run', async () => {
  const tools = [writeFileTool, editFileTool, readFilesTool, globFilesTool, searchFilesTool, listFilesTool];
  const host = { projects: projectsOf({ app: { files: createFiles(memoryStorage()) } }) };
  const calls = [
    { name: 'write_file', input: { path: 'src/bread.txt', content: 'flour\nwater\n' } },
    { name: 'edit_file', input: { path: 'src/bread.txt', old_text: 'water', new_text: 'milk' } },
    { name: 'read_files', input: { paths: ['src/bread.txt'] } },
    { name: 'glob_files', input: { pattern: '**/*.txt' } },
    { name: 'search_files', input: { pattern: 'mil[k]' } },
    { name: 'list_files', input: {} },
  ];
  const { messages, status } = await run({
    model: scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]),
    toolset: resolveToolset(createRegistry(tools), emptySettings, host),
    messages: 'Go.',
  }).result;
  const results = messages.flatMap(({ parts }) =>
    parts.filter((part): part is ToolResultPart => part.type === 'tool-result'),
  );
  expect([status, results.map(({ isError }) => isError)]).toEqual(['complete', calls.map(() => false)]);
  const texts = results.map(({ modelParts }) => textOf(modelParts));
  const told = [/wrote 12 bytes/, /milk/, /flour\nmilk\n/, /^src\/bread\.txt/, /bread\.txt.*2 \| milk/s, /bread\.txt/];
  for (const [index, text] of told.entries()) expect(texts[index]).toMatch(text);
});

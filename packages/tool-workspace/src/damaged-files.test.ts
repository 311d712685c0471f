// A project with a file that the storage knows to be damaged.

import { createFiles, runTool, textOf } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { JsonObject, Tool } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { deleteFilesTool, projectsOf, readFilesTool, searchFilesTool, writeFileTool } from './index.ts';

/** A file of this text is damaged. */
const lost = 'lost';

async function damagedProject() {
  const memory = memoryStorage();
  const driver: StorageDriver = {
    ...memory,
    async read(key, range) {
      const whole = await memory.read(key);
      if (whole && new TextDecoder().decode(whole.content) === lost) throw fileError('content_damaged', key.path);
      return memory.read(key, range);
    },
  };
  const files = createFiles(driver);
  await files.write('/good.txt', 'needle');
  await files.write('/bad.txt', lost);
  const host = { projects: projectsOf({ app: { files } }) };
  const ask = async (tool: Tool, input: JsonObject): Promise<string> =>
    textOf((await runTool(tool, input, { host })).modelParts);
  return { files, ask };
}

it('search_files finds what is in the others, and names the one that it could not search', async () => {
  const { ask } = await damagedProject();
  const text = await ask(searchFilesTool, { pattern: 'needle' });
  expect(text).toContain('RESULT: good.txt:1');
  expect(text).toContain('bad.txt');
});

it('read_files says what is wrong with it, and shows the others', async () => {
  const { ask } = await damagedProject();
  const text = await ask(readFilesTool, { paths: ['good.txt', 'bad.txt'] });
  expect(text).toContain('needle');
  expect(text).toContain("content_damaged: the content is damaged, '/bad.txt'");
});

it('write_file and delete_files put an end to it', async () => {
  const { files, ask } = await damagedProject();
  expect(await ask(writeFileTool, { path: 'bad.txt', content: 'new!' })).toContain(
    "Successfully wrote 4 bytes to file 'bad.txt'",
  );
  expect((await files.readText('/bad.txt')).text).toBe('new!');
  await files.write('/bad.txt', lost);
  await ask(deleteFilesTool, { paths: ['bad.txt'] });
  expect(await files.stat('/bad.txt')).toBeUndefined();
});

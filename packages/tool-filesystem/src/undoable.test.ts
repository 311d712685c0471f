import { createFiles, createRegistry, emptySettings, permissions, resolveToolset, run } from '@utensil/core';
import type { Effect, JsonObject } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { filesystemTool } from './filesystem.ts';

/** The effects of a call as shown to the user and to the policy. */
async function effectsOf(input: JsonObject, storage: StorageDriver): Promise<readonly [told: Effect, judged: Effect]> {
  const files = createFiles(storage);
  await files.write('/a.md', 'one\n');
  await files.write('/c.bin', new Uint8Array([0, 255, 1]));
  let judged: Effect = 'read';
  const asked = run({
    model: scriptedModel([{ calls: [{ name: 'filesystem', input }] }, {}]),
    toolset: resolveToolset(createRegistry([filesystemTool]), emptySettings, { files }),
    messages: 'Go.',
    policy: (request) => {
      judged = request.effects;
      return permissions('write')(request);
    },
  });
  for await (const event of asked.events()) {
    if (event.type !== 'approval-request') continue;
    asked.abort();
    return [event.effects, judged];
  }
  throw new Error('Nothing was asked.');
}

const plain = memoryStorage;
const versioned = (): StorageDriver => ({ ...memoryStorage(), keepsVersions: true });

it.each<[Effect, string, JsonObject, () => StorageDriver]>([
  ['write', 'a new file', { command: 'create', path: '/b.md', file_text: 'x', overwrite: true }, plain],
  ['destructive', 'an old file', { command: 'create', path: '/a.md', file_text: 'x', overwrite: true }, plain],
  ['destructive', 'a file of bytes', { command: 'create', path: '/c.bin', file_text: 'x', overwrite: true }, plain],
  ['destructive', 'a file that goes', { command: 'delete', path: '/a.md' }, plain],
  ['write', 'an old version', { command: 'create', path: '/a.md', file_text: 'x', overwrite: true }, versioned],
  ['write', 'a file that goes to the trash', { command: 'delete', path: '/a.md' }, versioned],
  ['destructive', 'a hook', { command: 'create', path: '/hooks/h.js', file_text: 'x', overwrite: true }, versioned],
  ['destructive', 'the skills', { command: 'create', path: '/skills', file_text: 'x', overwrite: true }, versioned],
])('a call is told to be %s for %s, whatever the policy makes of it', async (told, _, input, storage) => {
  expect(await effectsOf(input, storage())).toEqual([told, 'destructive']);
});

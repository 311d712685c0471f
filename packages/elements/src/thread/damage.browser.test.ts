import { createRecords, createRegistry, emptySettings, openThread, resolveToolset, run } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from './thread.ts';

it('says after a run that part of its conversation cannot be read, and offers nothing to continue', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const common = { toolset, model: scriptedModel([{ text: 'Hello.' }, { text: 'I am here.' }]) };
  await run({ ...common, thread: openThread(records, 'a'), messages: 'Hi' }).result;
  const path = '/threads/a/messages/000000000001.json';
  const change = { type: 'write', tree: 'records', path, content: new Uint8Array(3) } as const;
  await storage.commit({ expect: [], changes: [change], time: 0 });

  const going = run({ ...common, thread: openThread(records, 'a'), messages: 'Still there?' });
  const element = await mount(UtensilThread, { run: going });
  element.style.blockSize = '500px';
  expect((await going.result).status).toBe('complete');
  const notices = (): readonly string[] =>
    [...element.renderRoot.querySelectorAll('.notice')].map(({ textContent }) => textContent.trim());
  await expect.poll(notices).toHaveLength(1);
  expect(notices()[0]).toMatch(/^Part of this conversation cannot be read\..*\s*Details\s*record_corrupt: /);
  expect(await accessibilityProblems(element)).toEqual([]);
});

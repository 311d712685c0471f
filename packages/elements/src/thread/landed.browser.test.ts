import {
  messagesOf,
  branchOf,
  branchThread,
  createRecords,
  createRegistry,
  emptySettings,
  openThread,
  resolveToolset,
  run,
} from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from './thread.ts';

it('shows nothing of a run below the messages of another branch', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const model = scriptedModel([{ text: 'First answer' }, { text: 'Second answer' }]);
  await run({ model, toolset, thread, messages: 'First question' }).result;
  const second = run({ model, toolset, thread: branchThread(thread, null), messages: 'Second question' });
  const all = await second.result.then(() => messagesOf(thread));
  const element = await mount(UtensilThread, { run: second, messages: branchOf(all) });
  await expect.element(page.getByText('Second answer', { exact: true })).toBeVisible();

  element.messages = all.slice(0, 2);
  await expect.element(page.getByText('First answer', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Second question', { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByText('Second answer', { exact: true })).not.toBeInTheDocument();

  element.messages = branchOf(all);
  await expect.element(page.getByText('Second answer', { exact: true })).toBeVisible();
});

import {
  messagesOf,
  createRecords,
  createRegistry,
  emptySettings,
  openThread,
  resolveToolset,
  resume,
  run,
} from '@utensil/core';
import { branchOf, branchThread } from '@utensil/core/thread';
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

it('shows the failure of a run that resumed under its id, and failed before any event', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const first = run({ model: scriptedModel([]), toolset, thread, messages: 'A question' });
  await first.result;
  const element = await mount(UtensilThread, { run: first, messages: await messagesOf(thread) });
  await expect.element(page.getByText('A question', { exact: true })).toBeVisible();
  const again = resume({ model: scriptedModel([{ breaks: new Error('The line is dead.') }]), toolset, thread });
  expect((await again.result).status).toBe('error');
  expect(again.id).toBe(first.id);
  element.run = again;
  const notice = (): string => element.renderRoot.querySelector('.notice')?.textContent ?? '';
  await expect.poll(notice).toContain('The line is dead.');
});

import type { Message } from '@utensil/core';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { seedThread } from '../test-kit/long-thread.ts';
import { say } from '../test-kit/model-server.ts';
import { allStored } from '../test-kit/stored.ts';

const call = { type: 'tool-call', callId: 'c', name: 'filesystem', executedBy: 'us' };
const result = { type: 'tool-result', callId: 'c', name: 'filesystem', isError: false };

/** Parts as a fault, an older app or another program may have stored them. */
const damagedParts: readonly unknown[] = [
  null,
  { type: 'text' },
  { ...call, callId: 'd' },
  { ...call, callId: 'e', input: [1] },
  { type: 'image', data: 5 },
  { type: 'source' },
];

const message = (id: string, role: string, parts: readonly unknown[]): Message =>
  ({ id, role, parts, createdAt: 0 }) as unknown as Message;

it('says that messages are damaged, shows the rest of the conversation, keeps what is stored and goes on', async () => {
  const { page, faults } = await openApp();
  await page.getByLabel('Message').waitFor();
  await seedThread(page, 'damaged', [
    message('1', 'user', [{ type: 'text', text: 'The beginning' }]),
    ...damagedParts.map((part, index) => message(`damaged-${index}`, 'assistant', [part])),
    message('2', 'assistant', [{ type: 'hologram', text: 'x' }]),
    message('3', 'tool', [result]),
    message('4', 'assistant', [{ type: 'text', text: 'The end' }]),
  ]);
  await page.goto(`${page.url().split('#')[0]}#/chat/first/damaged`);
  await page.reload();
  await page.getByText('The end', { exact: true }).waitFor();
  await page.getByText('The beginning', { exact: true }).last().waitFor();
  await page.getByRole('alert').filter({ hasText: 'cannot be read' }).waitFor();
  await say(page, 'help');
  await page.getByText('I understand a few commands', { exact: false }).last().waitFor();
  await page.locator('utensil-thread .notice').getByText('Part of this conversation cannot be read').waitFor();
  expect(await allStored(page)).toContain('damaged-5');
  expect(faults).toEqual([]);
});

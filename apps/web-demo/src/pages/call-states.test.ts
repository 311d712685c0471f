import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

const patient = { timeout: 100_000 };

const filesystem = (input: object) => ({ name: 'filesystem', input });

/** Text at the end of each call's line. */
async function statesOf(page: Page): Promise<readonly string[]> {
  const states = await page.locator('utensil-call .status').allInnerTexts();
  return states.map((state) => state.trim().split('\n')[0] ?? '');
}

it('says of each call whether it waits, needs you, or was declined, after a reload too', async () => {
  const model = await serveModel([
    {
      calls: [
        filesystem({ command: 'create', path: '/a.md', file_text: 'one\n' }),
        filesystem({ command: 'view', path: '/' }),
      ],
    },
    { text: 'Well, no.' },
  ]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Write it');
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  await expect.poll(() => statesOf(page), patient).toEqual(['Needs you', 'Waiting']);
  expect(await lookAt(page, 'call-asking')).toEqual([]);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Well, no.', { exact: true }).waitFor();
  const ended = ['Declined', 'Done'];
  await expect.poll(() => statesOf(page), patient).toEqual(ended);
  await page.reload();
  await page.getByText('Well, no.', { exact: true }).waitFor();
  await expect.poll(() => statesOf(page), patient).toEqual(ended);
  expect(await lookAt(page, 'call-declined')).toEqual([]);
  expect(faults).toEqual([]);
});

it('warns of nothing if a file is made, changed or removed in a storage that keeps its versions', async () => {
  const { page, faults } = await openApp();
  for (const command of ['write a.md: one', 'write a.md: two', 'delete a.md']) {
    await say(page, command);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await page.locator('utensil-approval .ask').getAttribute('class')).not.toContain('destructive');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  expect(faults).toEqual([]);
});

it('keeps the line breaks of an answer, and sums up a result in words', async () => {
  const script = 'return { files: 3, total: 12 };';
  const model = await serveModel([
    { calls: [{ name: 'javascript', input: { code: script } }] },
    { text: 'First line\nSecond line' },
  ]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Count them');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.locator('utensil-markdown p').filter({ hasText: 'Second line' }).waitFor();
  expect(await page.locator('utensil-markdown p').last().innerText()).toBe('First line\nSecond line');
  expect(await page.locator('utensil-call .note').innerText()).toBe('files: 3, total: 12');
  expect(faults).toEqual([]);
});

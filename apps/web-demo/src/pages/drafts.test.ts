import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

const message = (page: Page): ReturnType<Page['getByLabel']> => page.getByLabel('Message', { exact: true });
const visit = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

it('keeps the draft of each conversation over other pages, other conversations and a reload', async () => {
  const { page, faults } = await openApp();
  await message(page).fill('begun, not sent');
  await visit(page, 'Models');
  await visit(page, 'New conversation');
  await expect.poll(() => message(page).inputValue()).toBe('begun, not sent');
  await page.reload();
  await expect.poll(() => message(page).inputValue()).toBe('begun, not sent');

  await say(page, 'help');
  await page.getByRole('link', { name: 'help', exact: true }).waitFor();
  await expect.poll(() => message(page).inputValue()).toBe('');
  await message(page).fill('more of the first');
  await visit(page, 'New conversation');
  await expect.poll(() => message(page).inputValue()).toBe('');
  await message(page).fill('of a second');
  await visit(page, 'help');
  await expect.poll(() => message(page).inputValue()).toBe('more of the first');
  await page.reload();
  await expect.poll(() => message(page).inputValue()).toBe('more of the first');
  await visit(page, 'New conversation');
  await expect.poll(() => message(page).inputValue()).toBe('of a second');
  expect(faults).toEqual([]);
});

it('keeps what is attached over other pages, and says after a reload what has to be attached again', async () => {
  const { page, faults } = await openApp();
  await message(page).fill('look at this');
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
  await page.locator('.composer input[type=file]').setInputFiles(note);
  await page.getByRole('list', { name: 'Attachments' }).waitFor();
  await visit(page, 'Files');
  await visit(page, 'New conversation');
  await page.getByRole('button', { name: 'Remove note.txt' }).waitFor();
  await page.reload();
  await page.getByText('The attachment “note.txt” was not saved', { exact: false }).waitFor();
  await expect.poll(() => message(page).inputValue()).toBe('look at this');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await expect.poll(() => message(page).inputValue()).toBe('look at this');
  expect(await page.getByText('note.txt', { exact: false }).count()).toBe(0);
  expect(faults).toEqual([]);
});

it('shows one draft of a conversation in two tabs, and takes it away from both when it is sent', async () => {
  const one = await openApp();
  await say(one.page, 'help');
  await one.page.getByRole('link', { name: 'help', exact: true }).waitFor();
  await one.page.getByRole('button', { name: 'Send' }).waitFor();
  await message(one.page).fill('from the first tab');
  const other = await openApp({ context: one.context, path: new URL(one.page.url()).hash });
  await expect.poll(() => message(other.page).inputValue()).toBe('from the first tab');
  await message(other.page).fill('from the second tab');
  await expect.poll(() => message(one.page).inputValue()).toBe('from the second tab');
  await one.page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => message(other.page).inputValue()).toBe('');
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('forgets the draft of a conversation that is removed', async () => {
  const { page } = await openApp();
  await say(page, 'help');
  await page.getByRole('link', { name: 'help', exact: true }).waitFor();
  await message(page).fill('a secret thought');
  await page.getByRole('button', { name: 'Remove help' }).click();
  await page.getByRole('button', { name: 'Remove conversation' }).click();
  await page.getByRole('link', { name: 'help', exact: true }).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('a secret thought');
});

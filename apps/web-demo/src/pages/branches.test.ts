import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, held, say, serveModel } from '../test-kit/model-server.ts';

/** Visible subset of these texts in the thread, in order. */
async function shownOf(page: Page, texts: readonly string[]): Promise<readonly string[]> {
  const counts = await Promise.all(
    texts.map((text) => page.getByRole('article').getByText(text, { exact: true }).count()),
  );
  return texts.filter((_, index) => counts[index] !== 0);
}

const all = ['Ask alpha', 'Answer alpha', 'Ask beta', 'Answer beta', 'Ask gamma', 'Answer gamma'];

async function putInOtherWords(page: Page, question: string, words: string): Promise<void> {
  const message = page.getByRole('article').filter({ hasText: question });
  await message.getByRole('button', { name: 'Edit' }).click();
  const editor = page.locator('utensil-thread');
  await editor.getByRole('textbox').fill(words);
  await editor.getByRole('button', { name: /^(Save|Send)/ }).click();
}

const done = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send', exact: true }).waitFor();

it('shows no message of one branch in another, while a question is put in other words and after going back', async () => {
  const { pause, goesOn } = held();
  const model = await serveModel([
    { text: 'Answer alpha' },
    { text: 'Answer beta' },
    { text: 'Answer gamma', pause },
    { text: 'Answer delta' },
  ]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Ask alpha');
  await page.getByText('Answer alpha', { exact: true }).waitFor();
  await done(page);
  await say(page, 'Ask beta');
  await page.getByText('Answer beta', { exact: true }).waitFor();
  await done(page);

  await putInOtherWords(page, 'Ask alpha', 'Ask gamma');
  await page.getByText('Ask gamma', { exact: true }).waitFor();
  expect(await shownOf(page, all.slice(0, 4))).toEqual([]); // while it is being answered
  goesOn();
  await page.getByText('Answer gamma', { exact: true }).waitFor();
  await done(page);
  expect(await shownOf(page, all)).toEqual(['Ask gamma', 'Answer gamma']);

  await page.getByRole('button', { name: 'Previous version' }).click();
  await page.getByText('Answer beta', { exact: true }).waitFor();
  expect(await shownOf(page, all)).toEqual(['Ask alpha', 'Answer alpha', 'Ask beta', 'Answer beta']);
  await page.getByRole('button', { name: 'Next version' }).click();
  await page.getByText('Answer gamma', { exact: true }).waitFor();
  expect(await shownOf(page, all)).toEqual(['Ask gamma', 'Answer gamma']);

  await page.getByRole('button', { name: 'Previous version' }).click();
  await say(page, 'Ask delta');
  await page.getByText('Answer delta', { exact: true }).waitFor();
  await done(page);
  expect(await shownOf(page, all)).toEqual(['Ask alpha', 'Answer alpha', 'Ask beta', 'Answer beta']);
  expect(JSON.stringify(model.requests[3]?.body.messages)).not.toContain('gamma');
  await page.reload();
  await page.getByText('Answer delta', { exact: true }).waitFor();
  expect(await shownOf(page, all)).toEqual(['Ask alpha', 'Answer alpha', 'Ask beta', 'Answer beta']);
  expect(faults).toEqual([]);
});

it('shows no earlier answer while another one is made, and no failure of it with the earlier one', async () => {
  const model = await serveModel([{ text: 'Answer one' }, { status: 401, message: 'Incorrect API key provided.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Ask');
  await page.getByText('Answer one', { exact: true }).waitFor();
  await done(page);
  await putInOtherWords(page, 'Ask', 'Demand');
  const failure = page.locator('utensil-thread .notice').getByText('rejected your API key', { exact: false });
  await failure.first().waitFor();
  await done(page);
  expect(await page.getByText('Answer one', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Previous version' }).click();
  await page.getByText('Answer one', { exact: true }).waitFor();
  expect(await failure.count()).toBe(0);
  expect(await shownOf(page, ['Ask', 'Answer one', 'Demand'])).toEqual(['Ask', 'Answer one']);
  expect(faults).toEqual([]);
});

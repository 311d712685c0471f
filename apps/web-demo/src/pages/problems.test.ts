import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { hurry } from '../test-kit/hurry.ts';
import { lookAt } from '../test-kit/look.ts';
import { beginAnother, chooseServer, say, serveModel } from '../test-kit/model-server.ts';
import type { Turn } from '../test-kit/model-server.ts';

/** Text of all problems: notices above the composer and in the conversation, without their details. */
async function noticesOf(page: Page): Promise<readonly string[]> {
  await page.locator('.notice').first().waitFor();
  const all = await page.locator('.notice').all();
  const texts = await Promise.all(all.map((notice) => notice.locator('> span, p').first().innerText()));
  return texts.map((text) => text.replaceAll(/\s+/g, ' '));
}

/** Ends of an answer, words of the page about each, and words of the server. */
const problems: readonly (readonly [string, Turn, RegExp, string])[] = [
  [
    'a key that is refused',
    { status: 401, message: 'Bad key no. 7' },
    /rejected your API key.*Save another/,
    'Bad key no. 7',
  ],
  [
    'an unknown model',
    { status: 404, message: 'No such model_xyz' },
    /does not have this model.*Choose another/,
    'model_xyz',
  ],
  [
    'too many requests',
    { status: 429, message: 'rpm exceeded', retryAfter: 0 },
    /Too many requests.*Wait/,
    'rpm exceeded',
  ],
  [
    'a server that fails',
    { status: 500, message: 'stack trace 9', retryAfter: 0 },
    /service failed.*Try again/,
    'stack trace 9',
  ],
  [
    'an answer that breaks off',
    { text: 'The first half', ends: 'truncated' },
    /incomplete.*[Cc]ontinue/,
    'ended early',
  ],
];

it('says once what to do about each problem, and keeps the words of the server for those who ask', async () => {
  let turn: Turn = 'silence';
  const model = await serveModel(() => turn);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  for (const [index, [what, answer, words, raw]] of problems.entries()) {
    turn = answer;
    if (index > 0) await beginAnother(page);
    await hurry(page);
    await say(page, 'Hello');
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    expect([what, ...(await noticesOf(page))]).toEqual([what, expect.stringMatching(words)]);
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    const details = page.locator('.notice details p');
    expect(await details.isVisible()).toBe(false);
    await page.locator('.notice summary').click();
    expect(await details.innerText()).toContain(raw);

    await page.reload();
    expect([what, ...(await noticesOf(page))]).toEqual([what, expect.stringMatching(/interrupted|cut short/)]);
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(1);
  }
  expect(faults).toEqual([]);
});

it('says once, by the message that was not sent, that a key is missing', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'OpenAI' }).check();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Hello');
  expect(await noticesOf(page)).toEqual([expect.stringMatching(/needs an API key/)]);
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Hello');
  expect(await lookAt(page, 'problem-unsent')).toEqual([]);
  expect(faults).toEqual([]);
});

it('explains a failed tool in its call alone, and not in the words for the model', async () => {
  const calls = [
    { name: 'filesystem', input: { command: 'view', path: '/no.md' } },
    { name: 'javascript', input: { code: 'return missing;' } },
  ];
  const model = await serveModel([{ calls }, { text: 'That is that.' }]);
  const { page, context, faults } = await openApp();
  await context.route('**/*.wasm', (route) => route.abort());
  await chooseServer(page, model);
  await say(page, 'Look');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('That is that.', { exact: true }).waitFor();
  expect(await page.locator('.notice').count()).toBe(0);
  const notes = await page.locator('utensil-call .note').allInnerTexts();
  expect(notes).toEqual([
    expect.stringContaining('/no.md does not exist'),
    expect.stringMatching(/^The sandbox could not be started/),
  ]);
  expect(await page.locator('utensil-call .status').allInnerTexts()).toEqual([
    expect.stringContaining('Failed'),
    expect.stringContaining('Failed'),
  ]);
  expect(await lookAt(page, 'problem-in-calls')).toEqual([]);
  expect(faults).toEqual([]);
});

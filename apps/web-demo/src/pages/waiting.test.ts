import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

const write = { name: 'filesystem', input: { command: 'create', path: '/notes/plan.md', file_text: 'A plan.' } };

it('lists pending questions in every other conversation, and after a reload, with links', async () => {
  const model = await serveModel([{ calls: [write] }, { text: 'It is written.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Write a plan');
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  const waiting = page.getByRole('region', { name: 'Needs your answer (1)' });
  expect(await waiting.count()).toBe(0); // it is asked right there
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await waiting.getByRole('link', { name: /plan\.md.*Write a plan/ }).waitFor();
  await page.reload();
  await waiting.getByRole('link', { name: /Write a plan/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('It is written.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('heading', { name: 'Tools', exact: true }).waitFor();
  expect(await waiting.count()).toBe(0);
  expect(faults).toEqual([]);
});

it('takes the answer where it is listed, after a reload too, and the run goes on by itself', async () => {
  const model = await serveModel([{ calls: [write] }, { text: 'It is written.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Write a plan');
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.reload();
  const waiting = page.getByRole('region', { name: 'Needs your answer (1)' });
  await waiting.getByRole('button', { name: /^Answer: .*plan\.md/ }).click();
  await waiting.getByText('A plan.').first().waitFor(); // what it would change
  expect(await lookAt(page, 'waiting')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await waiting.getByRole('button', { name: 'Allow once' }).click();
  await waiting.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Write a plan', exact: true }).click();
  await page.getByText('It is written.', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

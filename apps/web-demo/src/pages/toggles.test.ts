import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

it('offers the model what is on, from the next request on, and keeps that over a reload', async () => {
  const model = await serveModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Hello');
  await page.getByText('one', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'Memory', exact: true }).click();
  await page.getByRole('link', { name: 'Hello' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await say(page, 'And now?');
  await page.getByText('two', { exact: true }).waitFor();

  await page.reload();
  await page.getByText('two', { exact: true }).waitFor();
  await say(page, 'Still?');
  await page.getByText('three', { exact: true }).waitFor();
  const offered = model.requests.map(({ body }) => body.tools?.some(({ function: { name } }) => name === 'memory'));
  expect(offered).toEqual([true, false, false]);
  expect(faults).toEqual([]);
});

import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, held, say, serveModel } from '../test-kit/model-server.ts';

it('shows the wait for a busy server, and the answer once, without the truncated one before', async () => {
  const { pause, goesOn } = held();
  const model = await serveModel([
    { status: 503, message: 'Come back later.', retryAfter: 2 },
    { text: 'A half of an answer that is cut off long before it comes to its end', ends: 'truncated', pause },
    { text: 'The whole answer.' },
  ]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Hello');
  await page.getByText('The service is overloaded. Trying again in 2s…', { exact: true }).first().waitFor();
  await page.getByText('A half', { exact: false }).first().waitFor();
  goesOn();
  await page
    .getByText(/^(?:The answer was incomplete|The service cannot be reached)\. Trying again/)
    .first()
    .waitFor();
  expect(await page.getByText('A half', { exact: false }).count()).toBe(0);
  await page.getByText('The whole answer.', { exact: true }).waitFor();

  expect(model.requests).toHaveLength(3);
  expect(new Set(model.requests.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.getByText('The whole answer.', { exact: true }).waitFor();
    expect(await page.locator('article').count()).toBe(2);
    for (const gone of ['A half', 'Trying again'])
      expect(await page.locator('article').getByText(gone, { exact: false }).count()).toBe(0);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  expect(faults).toEqual([]);
});

it('shows for how long it waits, at a desk and on a phone, light and dark, and ends that where a person stops it', async () => {
  const model = await serveModel([{ status: 429, message: 'Slow down.', retryAfter: 59 }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Hello');
  await page
    .getByText(/^Too many requests\. Trying again in \d+s…$/)
    .first()
    .waitFor();
  expect(await lookAt(page, 'asked-again')).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await page.locator('article').getByText('Trying again', { exact: false }).count()).toBe(0);
  expect(model.requests).toHaveLength(1);
  expect(faults).toEqual([]);
});

import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, held, say, serveModel } from '../test-kit/model-server.ts';

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
  );

it('has the focus where a message is written: on load, in a new conversation, and after the first message', async () => {
  const { page, faults } = await openApp();
  await expect.poll(() => focused(page)).toBe('Message');
  await page.keyboard.type('help');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'help', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await focused(page)).toBe('Message');

  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect.poll(() => focused(page)).toBe('Message');
  await page.getByRole('link', { name: 'New conversation' }).click(); // there already
  expect(await focused(page)).toBe('Message');
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByLabel('Message', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('Message');
  expect(faults).toEqual([]);
});

it('leaves the focus where it is when a run ends, and gives it back from a Stop button that goes', async () => {
  const { pause, goesOn } = held();
  const model = await serveModel([
    { text: 'One.', pause },
    { text: 'Two. '.repeat(20), ends: 'hangs' },
  ]);
  const { page } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Talk');
  await page.getByRole('link', { name: 'Tools', exact: true }).focus();
  goesOn();
  await page.getByText('One.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await focused(page)).toBe('Tools');

  await say(page, 'Go on');
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.focus();
  await page.getByText('Two.', { exact: false }).last().waitFor();
  while (await stop.isVisible()) await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Message');
});

it('does not open the keyboard of a touch screen by itself', async () => {
  const { context } = await openApp();
  const phone = await context
    .browser()
    ?.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  if (phone === undefined) throw new Error('There is no browser.');
  const { page } = await openApp({ context: phone });
  await page.getByLabel('Message', { exact: true }).waitFor();
  expect(await focused(page)).not.toBe('Message');
  await phone.close();
});

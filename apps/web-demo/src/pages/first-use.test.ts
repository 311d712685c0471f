import { expect, it } from 'vitest';
import { openApp, useBrowser } from '../testing/browser.ts';

useBrowser();

it('is used for the first time by keys alone', async () => {
  const { page, faults } = await openApp();
  await page.getByLabel('Message').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message');
  await page.getByRole('link', { name: 'Skip to the page' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab'); // the first example
  await page.keyboard.press('Enter'); // it stands in the message, which has the focus
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow once' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('buy milk').last().waitFor();
  expect(faults).toEqual([]);
});

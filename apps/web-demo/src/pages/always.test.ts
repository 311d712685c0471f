import { expect, it } from 'vitest';
import { openApp, useBrowser } from '../testing/browser.ts';
import { say } from '../testing/model-server.ts';

useBrowser();

it('asks no more about what is always allowed, after a reload neither', async () => {
  const { page, faults } = await openApp();
  await say(page, 'write a.md: one');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await page.getByText('You always allow it.').waitFor({ state: 'hidden' });
  await page.reload();
  await say(page, 'write b.md: two then list');
  await page.getByText('/b.md').first().waitFor();
  expect(await page.getByRole('button', { name: 'Always allow' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

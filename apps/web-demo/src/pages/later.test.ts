import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

it('loads the conversation while the first message is written, and nothing is missing for a moment when it is sent', async () => {
  const { page, faults } = await openApp();
  await page.getByLabel('Message').waitFor();
  expect(await page.evaluate(() => customElements.get('utensil-thread') === undefined)).toBe(true);
  await page.getByLabel('Message').fill('h');
  await page.waitForFunction(() => customElements.get('utensil-thread') !== undefined);
  await page.evaluate(() => {
    const main = document.querySelector('main');
    if (main === null) return;
    const look = (): void =>
      void (main.querySelector('.beginning, utensil-thread') ?? main.setAttribute('data-gap', ''));
    new MutationObserver(look).observe(main, { childList: true, subtree: true });
  });
  await say(page, 'help');
  await page.locator('utensil-thread').waitFor();
  expect(await page.locator('main').getAttribute('data-gap')).toBeNull();
  expect(faults).toEqual([]);
});

it('says that a part of the page could not be loaded, rather than leaving the window empty', async () => {
  const { page } = await openApp({ path: 'icon.svg' });
  await page.route(/files-page/, (route) => route.abort());
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  const notice = page.getByRole('alert');
  await notice.waitFor();
  expect(await notice.textContent()).toContain('could not be loaded. Check your connection');
  await page.unroute(/files-page/);
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  const tools = page.getByRole('heading', { name: 'Tools', exact: true });
  await tools.waitFor();
  expect(await tools.isVisible()).toBe(true); // the rest goes on
});

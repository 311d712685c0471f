import type { Page } from 'playwright';
import { expect, inject, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

/** Everything of the app is kept. */
async function isKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
}

it('opens and works without a network: conversations, files, settings, and a script in the sandbox', async () => {
  const { page, context, faults } = await openApp({ isKeptOffline: true });
  await isKept(page);
  await context.setOffline(true);
  await page.goto(inject('appUrl')); // as a new visit
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Call tools' }).uncheck();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('heading', { name: 'Models' }).waitFor();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, "run await fs.writeFile('/out/report.json', '{}'); return 'written'");
  await page.getByRole('button', { name: 'Allow once' }).first().click();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'out' }).click(); // made by the script, in the sandbox
  await page.getByRole('treeitem', { name: 'report.json' }).waitFor();
  expect(faults).toEqual([]);
});

it('forgets what an older version has kept, once it is there itself', async () => {
  const { page, context, faults } = await openApp({ path: 'icon.svg', isKeptOffline: true });
  await page.evaluate(async () => {
    const old = await caches.open('utensil-older');
    await old.put('/assets/older.js', new Response('nothing'));
  });
  const app = await openApp({ context });
  await isKept(app.page);
  const names = (): Promise<readonly string[]> => app.page.evaluate(() => caches.keys());
  await expect.poll(names).not.toContain('utensil-older');
  expect(await names()).toEqual([expect.stringMatching(/^utensil-[0-9a-f]{16}$/)]);
  expect([...faults, ...app.faults]).toEqual([]);
});

it('can be installed', async () => {
  const { page, context } = await openApp({ isKeptOffline: true });
  await isKept(page);
  const session = await context.newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const {
    icons,
    display,
    start_url: start,
  } = JSON.parse(data ?? '{}') as Record<string, unknown> & {
    icons: readonly { src: string; sizes: string }[];
  };
  expect([display, start]).toEqual(['standalone', '/']);
  const drawn = icons
    .filter(({ sizes }) => sizes !== 'any')
    .map(async ({ src, sizes }) => [
      sizes,
      await page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src),
    ]);
  expect(await Promise.all(drawn)).toEqual([
    ['192x192', '192x192'],
    ['512x512', '512x512'],
  ]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A profile that leaves nothing behind installs nothing; that is not the page's.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

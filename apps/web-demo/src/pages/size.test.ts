import { gzipSync } from 'node:zlib';
import { expect, inject, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';

const most = 200_000;

it('loads at most 200 kB of JavaScript, as gzip, before a model or a sandbox is used', async () => {
  const { context, page } = await openApp({ path: 'icon.svg', isKeptOffline: true });
  const sizes = new Map<string, number>();
  const kept = new Set<string>();
  const reading: Promise<unknown>[] = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    // The page does not need the offline files of the service worker.
    if (response.request().serviceWorker() !== null || pathname === '/service-worker.js')
      return void kept.add(pathname);
    reading.push(response.body().then((body) => sizes.set(pathname, gzipSync(body).length)));
  });
  await page.goto(inject('appUrl'));
  await page.getByLabel('Message').waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(reading);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${total} bytes of JavaScript as gzip, in ${sizes.size} files`);
  expect(sizes.size).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(most);

  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  expect(kept.size).toBeGreaterThan(sizes.size); // all of the app, in the background
});

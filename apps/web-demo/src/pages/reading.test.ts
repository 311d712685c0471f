import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { mixedMessages, seedThread } from '../test-kit/long-thread.ts';
import { allStored } from '../test-kit/stored.ts';

const count = 400;

it('reads a conversation once when it is opened, though its title is stored then', async () => {
  const { page, faults } = await openApp();
  await page.getByLabel('Message').waitFor();
  await seedThread(page, 'long', mixedMessages(count));
  await page.addInitScript(() => {
    const { prototype } = IDBObjectStore;
    const { get } = prototype;
    const counted = { reads: 0 };
    Object.assign(globalThis, { counted });
    prototype.get = function (...key) {
      if (this.name === 'contents') counted.reads++;
      return Reflect.apply(get, this, key);
    };
  });
  await page.goto(`${page.url().split('#')[0]}#/chat/first/long`);
  await page.reload();
  await page.getByRole('heading', { name: `Note ${count - 1}` }).waitFor();
  await expect.poll(async () => (await allStored(page)).includes('titles\\u0000long.json')).toBe(true);
  await page.waitForTimeout(500); // anyone who would read again has begun
  const reads = await page.evaluate<number>('counted.reads');
  expect(reads).toBeGreaterThanOrEqual(count);
  expect(reads).toBeLessThan(1.5 * count);
  expect(faults).toEqual([]);
});

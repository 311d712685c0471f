import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say, serveModel } from '../test-kit/model-server.ts';
import type { ModelServer } from '../test-kit/model-server.ts';
import { allStored } from '../test-kit/stored.ts';

const key = 'sk-secret-4711-abcdef';
const passphrase = 'correct horse battery staple';

async function enterKey(page: Page, { url }: ModelServer): Promise<void> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Another server' }).check();
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByRole('button', { name: 'Remove key' }).waitFor();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, text);
}

/** The addresses of requests that had the key in them, in whatever place. */
function whoGetsTheKey(page: Page): readonly string[] {
  const got: string[] = [];
  page.on('request', async (request) => {
    const said = [request.url(), JSON.stringify(await request.allHeaders()), request.postData() ?? ''].join('\n');
    if (said.includes(key)) got.push(request.url());
  });
  return got;
}

it('stores a key sealed, with a key of the browser that nobody takes out, and sends it to its service alone', async () => {
  const model = await serveModel([{ text: 'one' }]);
  const other = await serveModel([{ text: 'two' }]);
  const { page, faults } = await openApp();
  const got = whoGetsTheKey(page);
  await enterKey(page, model);
  await ask(page, 'Hello');
  await page.getByText('one', { exact: true }).waitFor();
  expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  await expect.poll(() => [...new Set(got)]).toEqual([`${model.url}/chat/completions`]);

  const stored = await allStored(page);
  expect(stored).toContain('service.compatible'); // it looks at the right place
  expect(stored).not.toContain(key);
  expect(await page.content()).not.toContain(key);
  await page.locator('.meter').click();
  expect(await page.locator('.request pre').textContent()).toContain('Hello');
  expect(await page.locator('.request pre').textContent()).not.toContain(key);
  await page.getByRole('button', { name: 'Close' }).click();

  const refusal = page.evaluate(async () => {
    const request = indexedDB.open('utensil-web-demo-keys');
    await new Promise((resolve) => request.addEventListener('success', resolve));
    const stored = request.result.transaction('keys').objectStore('keys').get('device');
    await new Promise((resolve) => stored.addEventListener('success', resolve));
    await crypto.subtle.exportKey('raw', stored.result as CryptoKey);
  });
  await expect(refusal).rejects.toThrow(/not extractable/);

  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByLabel('Address').fill(other.url);
  await page.getByRole('button', { name: 'Remove key' }).waitFor({ state: 'detached' }); // there is none for this address
  await ask(page, 'And you?');
  await page.getByText('two', { exact: true }).waitFor();
  expect(JSON.stringify(other.requests[0]?.headers)).not.toContain(key);
  expect(JSON.stringify(other.requests[0]?.body.messages)).not.toContain('Hello'); // another conversation
  expect(faults).toEqual([]);
});

it('keeps keys behind a passphrase, locked from one visit to the next, through changes of it', async () => {
  const model = await serveModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const { page, faults } = await openApp();
  await enterKey(page, model);
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Protect with a passphrase' }).click();
  await page.getByRole('button', { name: 'Lock' }).waitFor();
  const stored = await allStored(page);
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(passphrase);

  await page.reload();
  await page.getByRole('button', { name: 'Unlock' }).waitFor();
  await ask(page, 'Hello');
  await page.getByRole('alert').getByText('locked', { exact: false }).waitFor();
  expect(model.requests).toEqual([]);

  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByLabel('Your passphrase').fill('correct horse battery stable');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('This passphrase is wrong', { exact: false }).waitFor();
  await page.getByLabel('Your passphrase').fill(passphrase);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill('another one of some length');
  await page.getByRole('button', { name: 'Change passphrase' }).click();
  await ask(page, 'Again');
  await page.getByText('one', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('button', { name: 'Remove passphrase' }).click();
  await page.getByRole('button', { name: 'Protect with a passphrase' }).waitFor();
  await page.reload();
  await ask(page, 'Once more');
  await page.getByText('two', { exact: true }).waitFor();
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
  expect(await allStored(page)).not.toContain(key);
  expect(faults).toEqual([]);
});

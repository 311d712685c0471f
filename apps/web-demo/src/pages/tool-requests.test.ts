import { loopback } from '@utensil/tooling-loopback';
import type { BrowserContext, Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

/** Allows as many calls as wait, one after the other. */
async function allow(page: Page, count: number): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Allow once' });
  for (let left = count; left > 0; left--) {
    await expect.poll(() => buttons.count()).toBe(left);
    await buttons.first().click();
  }
}

const open = { 'access-control-allow-origin': '*', 'content-type': 'text/plain' };

/** A public page, and redirects of it: to the loopback, to plain http, and to an https address of the local network. */
async function redirect(context: BrowserContext, secret: string): Promise<void> {
  const places: Readonly<Record<string, string>> = {
    '/private': secret,
    '/plain': `http://plain.example:${new URL(secret).port}/`,
    '/nas': 'https://nas.local/',
  };
  await context.route('https://nas.local/', (route) =>
    route.fulfill({ headers: open, body: 'the secret of the network' }),
  );
  await context.route('https://redirect.example/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const location = places[pathname];
    if (location === undefined) return route.fulfill({ headers: open, body: `a public page at ${pathname}` });
    return route.fulfill({ status: 302, headers: { ...open, location } });
  });
}

it('lets no tool ask a server over plain http, in the local network, or by way of a redirect to one', async () => {
  const secret = await loopback(() => ({ headers: open, body: 'the secret of the network' }));
  onTestFinished(() => secret.close());
  const { port } = new URL(secret.url);
  const addresses = [
    secret.url,
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://nas.local:${port}/`,
    `http://plain.example:${port}/`,
    'https://redirect.example/private',
    'https://redirect.example/plain',
    'https://redirect.example/nas',
  ];
  const model = await serveModel([
    { calls: addresses.map((url) => ({ name: 'open_link', input: { url } })) },
    { calls: [{ name: 'open_link', input: { url: 'https://redirect.example/page' } }] },
    { text: 'That is all.' },
  ]);
  const { page, context } = await openApp();
  await redirect(context, secret.url);
  await chooseServer(page, model);
  await say(page, 'Attack');
  await allow(page, addresses.length);
  await allow(page, 1);
  await page.getByText('That is all.', { exact: true }).waitFor();
  expect(secret.requests).toEqual([]);
  const told = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(told).not.toContain('the secret of the network');
  expect(told).toContain('a public page'); // what is public is still read
});

it.each<[string, (frame: HTMLIFrameElement) => void]>([
  ['removed', (frame) => frame.remove()],
  ['led to another document, which has no policy', (frame) => void (frame.src = 'about:blank?')],
])('keeps the requests of tools from plain http when their frame was %s, and still makes them', async (_, tamper) => {
  const secret = await loopback(() => ({ headers: open, body: 'the secret of the network' }));
  onTestFinished(() => secret.close());
  const links = ['page', 'plain', 'other'].map((path) => ({
    calls: [{ name: 'open_link', input: { url: `https://redirect.example/${path}` } }],
  }));
  const model = await serveModel([...links, { text: 'That is all.' }]);
  const { page, context } = await openApp();
  await redirect(context, secret.url);
  await chooseServer(page, model);
  await say(page, 'Attack');
  await allow(page, 1);
  await expect.poll(() => model.requests.length).toBe(2);
  await page.locator('iframe').last().evaluate(tamper);
  await page.waitForTimeout(200); // the other document is there
  await allow(page, 1);
  await expect.poll(() => model.requests.length).toBe(3);
  await allow(page, 1);
  await page.getByText('That is all.', { exact: true }).waitFor();
  expect(secret.requests).toEqual([]);
  const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(JSON.stringify(results?.at(-1))).toContain('a public page at /other');
});

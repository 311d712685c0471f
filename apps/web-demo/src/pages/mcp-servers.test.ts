// Servers of tools in the built app: real servers over loopback HTTP, with an issuer that others wrote.
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { serveMcpHttp } from '@utensil/interop-mcp/node';
import { loopback } from '@utensil/tooling-loopback';
import type { Page } from 'playwright';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startIssuer, startProtected } from '../../../../tooling/mcp/src/issuer.ts';
import { signInChannel } from '../data/mcp-servers/sign-in-channel.ts';
import { openApp } from '../test-kit/browser.ts';
import { hurry } from '../test-kit/hurry.ts';
import { seedRecord } from '../test-kit/long-thread.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';
import { allStored } from '../test-kit/stored.ts';

const pages = new URL(inject('appUrl')).origin;

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: jsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    effects: 'read',
    execute: () => `result of ${name}`,
    ...more,
  });
}

/** A server whose tools a page of the app may call. */
async function serveTools(tools: readonly Tool[], port = 0) {
  const registry = createRegistry([...tools]);
  const toolset = resolveToolset(registry, emptySettings, {});
  const server = await serveMcpHttp(toolset, { name: 'weather', version: '1.2.3', port, allowedOrigins: [pages] });
  onTestFinished(() => server.close());
  return server;
}

async function openTools(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('heading', { name: 'Servers' }).waitFor();
}

/** Looks for a tool among all, as a person would. */
async function findTool(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search tools' }).fill(words);
}

async function addServer(page: Page, url: string, name = ''): Promise<void> {
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Add a server' }).click();
}

it('[A4-04] [S4-25] adds a server by keyboard, offers its tools to the model, and keeps what was switched off while it is away', async () => {
  const server = await serveTools([tool('forecast', { title: 'Forecast' }), tool('storms')]);
  const model = await serveModel([
    { calls: [{ name: 'weather_forecast', input: { city: 'Oslo' } }] },
    { text: 'Sunny.' },
    { calls: [{ name: 'weather_forecast', input: { city: 'Oslo' } }] },
    { text: 'Asked again.' },
  ]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await openTools(page);
  await page.getByLabel('Address').focus();
  await page.keyboard.type(server.url);
  await page.keyboard.press('Tab');
  await page.keyboard.type('weather');
  await page.keyboard.press('Enter');
  const card = page.getByRole('article', { name: 'weather' });
  await card.getByText('Connected · 2 tools').waitFor();

  await card.getByText('Inspect 2 tools').click();
  await card.getByText('Forecast', { exact: true }).click();
  await card.getByText('Does forecast.').waitFor();
  await card.getByText('"city"').waitFor();
  await card.getByText('Says that it only reads.').waitFor();
  await findTool(page, 'storms');
  await page.getByRole('switch', { name: 'weather_storms' }).uncheck();
  await expect.poll(() => allStored(page)).toContain('weather_storms');

  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'What is the weather?');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await page.getByText('Sunny.', { exact: true }).waitFor();
  const offered = (index: number) => model.requests[index]?.body.tools?.map(({ function: { name } }) => name) ?? [];
  expect(offered(0)).toContain('weather_forecast');
  expect(offered(0)).not.toContain('weather_storms');
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('result of forecast');

  await openTools(page);
  await page.getByRole('button', { name: 'Ask again before Forecast' }).click(); // the permission is taken back
  await expect.poll(() => page.getByRole('button', { name: 'Ask again before Forecast' }).count()).toBe(0);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'And now?');
  await page.getByRole('button', { name: 'Allow once' }).click(); // it asks again
  await page.getByText('Asked again.', { exact: true }).waitFor();

  await openTools(page);
  await findTool(page, 'storms');
  await card.getByRole('button', { name: 'Remove weather' }).click();
  await page.getByRole('button', { name: 'Remove server' }).click();
  await expect.poll(() => page.getByRole('article').count()).toBe(0);
  await expect.poll(() => page.getByRole('switch', { name: 'weather_storms' }).count()).toBe(0);
  await addServer(page, server.url, 'weather');
  await card.getByText('Connected · 2 tools').waitFor();
  await page.getByRole('switch', { name: 'weather_storms' }).waitFor();
  expect(await page.getByRole('switch', { name: 'weather_storms' }).isChecked()).toBe(false);

  await page.reload();
  await card.getByText('Connected · 2 tools').waitFor();
  expect(faults).toEqual([]);
});

it('says what is wrong with an address, and what to do', async () => {
  const nothing = await loopback(() => ({ status: 404, headers: { 'access-control-allow-origin': '*' } }));
  const website = await loopback(() => ({
    body: '<html><script>document.title = "owned"</script>',
    headers: { 'content-type': 'text/html', 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
  }));
  const closed = await loopback(() => ({ status: 200 })); // it allows no page
  onTestFinished(async () => void (await Promise.all([nothing, website, closed].map((each) => each.close()))));
  const { page, faults } = await openApp();
  await openTools(page);
  for (const [address, problem] of [
    ['', 'Enter the address'],
    ['mcp.example.com', 'This is not a complete address'],
    ['http://mcp.example.com/mcp', 'Plain http is allowed only for servers on this computer'],
    ['https://ada:secret@mcp.example.com', 'Leave user name and password out'],
  ] as const) {
    await addServer(page, address);
    await page.getByRole('alert').getByText(problem).waitFor();
  }
  for (const [name, address, problem] of [
    ['website', `${website.url}/`, 'but not as an MCP server. Check the address: it often ends in /mcp.'],
    ['closed', `${closed.url}/mcp`, 'does not allow this page to read the response (CORS). Its operator has to allow'],
    ['gone', 'http://127.0.0.1:1/mcp', 'Nothing responds at http://127.0.0.1:1. Check that the server is running'],
  ] as const) {
    await addServer(page, address, name);
    const card = page.getByRole('article', { name });
    await card.getByText('Not connected').waitFor();
    await card.getByText(problem).waitFor();
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText(problem).waitFor();
  }
  await addServer(page, 'http://127.0.0.1:1/mcp', 'gone');
  await page.getByRole('alert').getByText('There is a server named “gone” already.').waitFor();
  const problems = await lookAt(page, 'servers-problems');
  expect(await page.title()).not.toBe('owned');
  expect(problems).toEqual([]);
  expect(faults).toEqual([]);
});

it('leaves out stored servers whose address or name no one could have added, and connects the others', async () => {
  const server = await serveTools([tool('forecast')]);
  const { page, faults } = await openApp();
  await page.getByLabel('Message').waitFor();
  await seedRecord(
    page,
    ['mcp-servers'],
    [
      ...['', 'nonsense', 'javascript:alert(1)', 'http://mcp.example.com/', 'https://a:b@mcp.example.com/'].map(
        (url, index) => ({ name: `bad-${index}`, url }),
      ),
      { name: 'a_b', url: server.url },
      { name: 'no-address' },
      null,
      { name: 'weather', url: server.url },
    ],
  );
  await page.reload();
  await openTools(page);
  const card = page.getByRole('article', { name: 'weather' });
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await card.getByRole('button', { name: 'Remove weather' }).click();
  await page.getByRole('button', { name: 'Remove server' }).click();
  await expect.poll(() => page.getByRole('article').count()).toBe(0);
  await expect.poll(() => allStored(page)).not.toContain('bad-1');
  expect(faults).toEqual([]);
});

it('connects again once a server is back', async () => {
  const first = await serveTools([tool('forecast')]);
  const port = Number(new URL(first.url).port);
  const { page, faults } = await openApp();
  await openTools(page);
  await addServer(page, first.url, 'weather');
  const card = page.getByRole('article', { name: 'weather' });
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  await first.close();
  await page.reload();
  await card.getByText('Nothing responds at').waitFor();
  await serveTools([tool('forecast'), tool('storms')], port);
  await card.getByText('Connected · 2 tools').waitFor(); // by itself: it is tried again
  expect(faults).toEqual([]);
});

it('lists the tools of a connected server again after that has failed, and then says so no more', async () => {
  const server = await serveTools([tool('forecast')]);
  const { page, context, faults } = await openApp();
  await openTools(page);
  await hurry(page);
  let isBusy = true;
  await context.route(server.url, async (route) => {
    const { id, method } = (route.request().postDataJSON() ?? {}) as { readonly id?: number; readonly method?: string };
    if (method !== 'tools/list' || !isBusy) return route.fallback();
    const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'Busy.' } });
    const headers = { 'content-type': 'application/json', 'access-control-allow-origin': pages };
    return route.fulfill({ headers, body });
  });
  await addServer(page, server.url, 'weather');
  const card = page.getByRole('article', { name: 'weather' });
  const problem = card.getByText('could not be listed');
  await problem.waitFor();
  await card.getByText('Connected · 0 tools', { exact: true }).waitFor();
  isBusy = false;
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  await problem.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

it('shows any amount of text of hostile servers, as plain text', async () => {
  const attack = '<img src=x onerror="document.title=\'owned\'"> [click](javascript:alert(1)) \u202eevil\u0007';
  const tools = [
    tool('attack', { title: attack, description: attack }),
    tool('long', { description: 'x'.repeat(1_000_000) }),
    ...Array.from({ length: 1_500 }, (_, index) => tool(`t${String(index).padStart(5, '0')}`)),
  ];
  const server = await serveTools(tools);
  const { page, faults } = await openApp();
  await openTools(page);
  await addServer(page, server.url, 'evil');
  const card = page.getByRole('article', { name: 'evil' });
  await card.getByText('Connected · 1,000 tools').waitFor();
  await card.getByText('502 are left out').waitFor();
  await card.getByText('Inspect 1,000 tools').click();
  await expect.poll(() => card.locator('.server-tools li').count()).toBe(50);
  await card.locator('summary', { hasText: 'evil_attack' }).click();
  await card.locator('summary', { hasText: 'evil_long' }).click();
  await card.getByText('Cannot be used:').first().waitFor();
  await card.getByRole('button', { name: 'Show 100 more' }).click();
  await expect.poll(() => card.locator('.server-tools li').count()).toBe(150);
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await card.innerText()).not.toMatch(/[\u202e\u0007]/);
  expect(await page.title()).not.toBe('owned');
  expect(faults).toEqual([]);
});

it('signs in at an issuer in another tab, uses the tools as that user, and signs out', async () => {
  const issuer = await startIssuer({ pages });
  const server = await startProtected(issuer, { pages });
  onTestFinished(() => server.close());
  onTestFinished(() => issuer.close());
  const model = await serveModel([{ calls: [{ name: 'tasks_whoami', input: {} }] }, { text: 'You are Ada.' }]);
  const { page, context, faults } = await openApp();
  await chooseServer(page, model);
  await openTools(page);
  await addServer(page, server.url, 'tasks');
  const card = page.getByRole('article', { name: 'tasks' });
  await card.getByText('Needs you to sign in').waitFor();
  await card.getByRole('button', { name: 'Sign in to tasks' }).click();
  const link = card.getByRole('link', { name: `Open the sign-in page of ${new URL(issuer.url).host}` });
  await link.waitFor();
  const problems = [...(await lookAt(page, 'servers-sign-in'))];
  await page.setViewportSize({ width: 1280, height: 800 });
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await tab.getByText('You are signed in. You can close this tab.').waitFor();
  expect(new URL(tab.url()).search).toBe('');
  await tab.close();
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  await card.getByText(`Signed in at ${new URL(issuer.url).host}.`).waitFor();
  problems.push(...(await lookAt(page, 'servers-signed-in')));

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Who am I?');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('You are Ada.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('ada');
  expect(await allStored(page)).not.toMatch(/access_token|accessToken|refreshToken/); // sealed in the vault

  await page.reload();
  await openTools(page);
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Sign out' }).click();
  await card.getByText('Needs you to sign in').waitFor();
  expect(problems).toEqual([]);
  expect(faults).toEqual([]);
});

it('tells a page how a sign-in ended that comes back, or is loaded again, after it was told', async () => {
  const issuer = await startIssuer({ pages });
  const server = await startProtected(issuer, { pages });
  onTestFinished(() => server.close());
  onTestFinished(() => issuer.close());
  const { page, context, faults } = await openApp();
  await openTools(page);
  await addServer(page, server.url, 'tasks');
  const card = page.getByRole('article', { name: 'tasks' });
  await card.getByRole('button', { name: 'Sign in to tasks' }).click();
  const link = await card.getByRole('link', { name: 'Open the sign-in page of' }).getAttribute('href');
  const address = await issuer.browse(link ?? '', 'ada');
  await page.evaluate(
    ([name, text]) => {
      const state = new URL(text).searchParams.get('state');
      new BroadcastChannel(name).postMessage({ state, address: text }); // of a page that hears no answer
    },
    [signInChannel, address] as const,
  );
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  const tab = await context.newPage();
  await tab.goto(address);
  await tab.getByText('You are signed in. You can close this tab.').waitFor();
  await tab.reload();
  await tab.getByText('You are signed in. You can close this tab.').waitFor();
  expect(new URL(tab.url()).search).toBe('');
  await card.getByText('Connected · 1 tool', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

it('finishes a sign-in whose first message was lost', async () => {
  const { page, context, faults } = await openApp();
  const tab = await context.newPage();
  await tab.goto(new URL('signed-in.html?state=begun&code=secret', page.url()).href);
  await tab.getByText('Finishing the sign-in…').waitFor();
  await page.evaluate((name) => {
    const channel = new BroadcastChannel(name); // opened after the first message was sent
    const heard: unknown[] = [];
    Object.assign(globalThis, { heard });
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      heard.push(data);
      channel.postMessage({ finished: 'begun', text: 'Finished.' });
    });
  }, signInChannel);
  await tab.getByText('Finished.').waitFor();
  const heard = async (): Promise<readonly unknown[]> => {
    await new Promise((resolve) => setTimeout(resolve, 700)); // longer than two repeats
    return page.evaluate(() => (globalThis as unknown as { readonly heard: readonly unknown[] }).heard);
  };
  const before = await heard(); // a repeat may have been under way when the tab was told
  expect(before).toContainEqual({ state: 'begun', address: expect.stringContaining('code=secret') as string });
  expect(await heard()).toEqual(before); // it has stopped
  expect(faults).toEqual([]);
});

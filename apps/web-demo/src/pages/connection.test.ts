import { loopback } from '@utensil/tooling-loopback';
import type { Handler, Loopback } from '@utensil/tooling-loopback';
import type { Page } from 'playwright';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { hurry } from '../test-kit/hurry.ts';
import { say } from '../test-kit/model-server.ts';

const json = { 'content-type': 'application/json' };
const open = { ...json, 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, *' };
const maxRetries = 3; // a server may end a kept connection just when it is used again
const tags = { models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text', details: { family: 'nomic-bert' } }] };

async function serve(handler: Handler): Promise<Loopback> {
  const server = await loopback(handler);
  onTestFinished(() => server.close());
  return server;
}

/** Has the page test the connection to a server, and returns its report. */
async function testOf(page: Page, service: string, address?: string): Promise<string> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: service, exact: true }).check();
  if (address !== undefined) await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Test connection' }).click();
  return outcome(page);
}

async function outcome(page: Page): Promise<string> {
  const said = page.getByRole('status').last();
  await expect.poll(() => said.textContent()).toMatch(/^(?!Testing).+/);
  return (await said.textContent()) ?? '';
}

it('connects to an Ollama in the local network, and chats with it', async () => {
  const ollama = await serve(({ path }) => {
    if (path === '/api/tags') return { headers: open, body: JSON.stringify(tags) };
    if (path === '/api/show') return { headers: open, body: JSON.stringify({ capabilities: ['tools'] }) };
    const line = { model: 'qwen3:8b', message: { role: 'assistant', content: 'Hello from the network.' }, done: true };
    return { headers: { ...open, 'content-type': 'application/x-ndjson' }, body: `${JSON.stringify(line)}\n` };
  });
  const { page, faults } = await openApp();
  const address = ollama.url.replace('127.0.0.1', 'lan.example');
  expect(await testOf(page, 'Ollama', address)).toMatch(/^Connected: 1 model, but “qwen3” is not one of them/);
  await page.getByLabel('Model', { exact: true }).selectOption('qwen3:8b');
  expect(await outcome(page)).toBe('Connected: 1 model.');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Hello');
  await page.getByText('Hello from the network.', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

it('tells a server that allows no page from one that is not there, in a test and in a chat', async () => {
  const closed = await serve(() => ({ headers: json, body: JSON.stringify(tags) }));
  const gone = await loopback(() => ({}));
  await gone.close();
  const { page } = await openApp();
  const { origin } = new URL(page.url());
  const atLan = (url: string): string => url.replace('127.0.0.1', 'lan.example');
  expect(await testOf(page, 'Ollama', atLan(closed.url))).toBe(
    `Ollama at ${atLan(closed.url)} responds, but does not allow this page to read the response (CORS). Set OLLAMA_ORIGINS=${origin} in Ollama’s environment, restart it, then try again.`,
  );
  expect(await testOf(page, 'Ollama', gone.url)).toMatch(/^Nothing responds at .* Check that Ollama is running/);
  expect(await testOf(page, 'Ollama', atLan(gone.url))).toMatch(/^Nothing responds at .*OLLAMA_HOST=0\.0\.0\.0/);
  expect(await testOf(page, 'Ollama', 'lan.example:11434')).toMatch(/is not a complete address.*http:\/\//);

  await page.getByLabel('Address').fill(atLan(closed.url));
  await page.getByRole('link', { name: 'New conversation' }).click();
  await hurry(page);
  await say(page, 'Hello');
  await page.locator('utensil-thread .notice').getByText(`Set OLLAMA_ORIGINS=${origin}`).waitFor();
});

it('says that a page over https may not use a server over plain http', async () => {
  const server = await serve(() => ({ headers: open, body: JSON.stringify(tags) }));
  const { context } = await openApp();
  await context.route('https://app.example/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const response = await route.fetch({ url: new URL(pathname, inject('appUrl')).href, maxRetries });
    await route.fulfill({ response });
  });
  const page = await context.newPage();
  await page.goto('https://app.example/');
  const { port } = new URL(server.url);
  expect(await testOf(page, 'Ollama', `http://lan.example:${port}`)).toMatch(/^This page was loaded over https/);
  // Chromium asks the user about these, and nobody answers it here.
  expect(await testOf(page, 'Ollama', `http://nas.local:${port}`)).toMatch(/^The browser does not let this page use/);
  expect(await testOf(page, 'Ollama', server.url)).toMatch(
    /^The browser does not let this page use your local network/,
  );
  expect(server.requests).toEqual([]);
});

it('says that a stricter policy of the host of the app is in the way', async () => {
  const server = await serve(() => ({ headers: open, body: JSON.stringify(tags) }));
  const { context } = await openApp({ path: 'icon.svg' });
  await context.route(inject('appUrl'), async (route) => {
    const response = await route.fetch({ maxRetries });
    const headers = { ...response.headers(), 'content-security-policy': "connect-src 'self'" };
    await route.fulfill({ response, headers });
  });
  const page = await context.newPage();
  await page.goto(inject('appUrl'));
  expect(await testOf(page, 'Ollama', server.url)).toMatch(/^The security policy of this page .*does not allow http:/);
  expect(server.requests).toEqual([]);
});

it('says what is wrong with a server that answers otherwise than it should, and bounds what it reads', async () => {
  let reply: ReturnType<Handler> = {};
  const server = await serve(({ method }) => (method === 'OPTIONS' ? { status: 204, headers: open } : reply));
  const { page, faults } = await openApp();
  const said = async (status: number, body: string | readonly string[]): Promise<string> => {
    reply = { status, headers: open, body };
    return testOf(page, 'Another server', `${server.url}/v1`);
  };
  expect(await said(200, '{"data":[{"id":"default"}]}')).toBe('Connected: 1 model.');
  expect(await said(200, '<html>A router</html>')).toMatch(/responds, but not with a list.*usually ends in \/v1\.$/);
  expect(await said(200, '[]')).toMatch(/responds, but not with a list/);
  expect(await said(200, '{"data":[]}')).toMatch(/lists no chat model/);
  expect(await said(401, '{}')).toMatch(/requires an API key \(status 401\)/);
  expect(await said(429, '{}')).toMatch(/too many requests \(status 429\)/);
  expect(await said(500, '{}')).toMatch(/failed \(status 500\)/);
  expect(await said(418, '{}')).toMatch(/\/v1\/models responds, but not with a list of models \(status 418\)/);
  expect(await said(200, Array<string>(20).fill(' '.repeat(1024 * 1024)))).toMatch(/responds, but not with a list/);
  const many = { data: Array.from({ length: 5000 }, (_, index) => ({ id: `m-${index} <img src=x>` })) };
  expect(await said(200, JSON.stringify(many))).toMatch(/^Connected: 1,000 models, but/);
  expect(await page.getByLabel('Model', { exact: true }).locator('option').count()).toBe(1002);
  expect(await page.locator('.page img').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('asks for one token if a server has no list of models', async () => {
  const server = await serve(({ method, path }) => {
    if (method === 'OPTIONS') return { status: 204, headers: open };
    if (path === '/v1/models') return { status: 404, headers: open, body: '{}' };
    const chunk = { id: '1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'length' }] };
    const headers = { ...open, 'content-type': 'text/event-stream' };
    return { headers, body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` };
  });
  const { page, faults } = await openApp();
  expect(await testOf(page, 'Another server', `${server.url}/v1`)).toMatch(/^Connected: the model answers\./);
  const asked = server.requests.find(({ method }) => method === 'POST');
  expect(asked?.json()).toMatchObject({ model: 'default' });
  expect(asked?.body).toMatch(/"max_(completion_)?tokens":1\b/);
  expect(faults).toEqual([]);
});

it('gives a test up when another service is chosen', async () => {
  const server = await serve(() => new Promise(() => undefined));
  const { page } = await openApp();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Ollama' }).check();
  await page.getByLabel('Address').fill(server.url);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.poll(() => server.requests.length).toBe(1);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().startsWith(server.url));
  await page.getByRole('radio', { name: 'OpenAI' }).check();
  expect((await failed).failure()?.errorText).toContain('ERR_ABORTED');
  await page.getByRole('radio', { name: 'Ollama' }).check();
  expect(await page.getByText('Testing…').count()).toBe(0);
});

it('tests an API key, and shows the models of its vendor', async () => {
  const { page, context, faults } = await openApp();
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await context.route('https://api.openai.com/**', async (route) => {
    const isGood = route.request().headers()['authorization'] === 'Bearer sk-good';
    const data = isGood ? { data: [{ id: 'gpt-5.6' }, { id: 'gpt-new' }] } : { error: { message: 'Incorrect.' } };
    await route.fulfill({ status: isGood ? 200 : 401, headers: open, body: JSON.stringify(data) });
  });
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'OpenAI' }).check();
  for (const [key, said] of [
    ['sk-bad', /^OpenAI rejected your API key \(status 401\)/],
    ['sk-good', /^Connected: 2 models\.$/],
  ] as const) {
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('API key').inputValue()).toBe('');
    expect(await testOf(page, 'OpenAI')).toMatch(said);
  }
  await page.getByLabel('Model', { exact: true }).selectOption('gpt-new');
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.locator('option', { hasText: 'gpt-new' }).waitFor({ state: 'attached' }); // kept while the page is open
  expect(logged.join('\n')).not.toContain('sk-');
  expect(faults).toEqual([]);
});

it('sends no key to where a server redirects to, and says that it redirects', async () => {
  const thief = await serve(() => ({ headers: open, body: JSON.stringify({ data: [{ id: 'm' }] }) }));
  const server = await serve(({ method }) =>
    method === 'OPTIONS'
      ? { status: 204, headers: open }
      : { status: 307, headers: { ...open, location: `${thief.url}/v1/models` } },
  );
  const { page } = await openApp();
  const address = `${server.url.replace('127.0.0.1', 'lan.example')}/v1`;
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Another server', exact: true }).check();
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('API key', { exact: true }).fill('sk-secret');
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByText('An API key is saved in this browser').waitFor(); // saving it cancels a test
  await page.getByRole('button', { name: 'Test connection' }).click();
  expect(await outcome(page)).toMatch(/redirects to another address.*not sent there/);
  expect(thief.requests).toEqual([]);

  await page.getByRole('link', { name: 'New conversation' }).click();
  await hurry(page);
  await say(page, 'Hello');
  await page.locator('utensil-thread .notice').waitFor();
  expect(thief.requests.filter(({ headers }) => JSON.stringify(headers).includes('sk-secret'))).toEqual([]);
});

import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { damage } from '../test-kit/damage.ts';
import { chooseServer, held, say, serveModel } from '../test-kit/model-server.ts';

/** Elements with notices that a person can dismiss. */
async function expectNotice(page: Page, text: RegExp): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: text });
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
}

/** Text at the end of the conversation. */
async function expectEnding(page: Page, text: RegExp): Promise<void> {
  await page.locator('utensil-thread .notice').filter({ hasText: text }).waitFor();
}

it('says which stored record cannot be read, puts it aside, and loses nothing else', async () => {
  const { page, context, faults } = await openApp();
  await say(page, 'write a.md: one');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'Memory', exact: true }).click();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'OpenAI' }).check();
  await page.getByRole('radio', { name: 'Offline demo' }).check();
  await page.getByLabel('Passphrase').fill('long enough to be one');
  await page.getByRole('button', { name: 'Protect with a passphrase' }).click();
  await page.getByRole('button', { name: 'Lock' }).waitFor();

  const address = page.url();
  await page.goto('about:blank');
  const again = await openApp({ context, path: 'icon.svg' }); // of the same origin, with nothing running
  await damage(again.page, /^app\/r\/vault/);
  await damage(again.page, /^project-first\/r\/model/);
  await damage(again.page, /^project-first\/r\/settings\//);
  await damage(again.page, /\/messages\/000000000002/); // the beginning of the run, and its message

  await page.goto(address);
  await expectNotice(page, /Your API keys could not be read.*Enter them again/);
  await expectNotice(page, /The chosen model could not be read.*Choose it again/);
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'Memory', exact: true }).waitFor();
  await page.getByRole('link', { name: 'write a.md: one' }).click();
  await expectNotice(page, /A message.*cannot be read.*the other messages are shown/);
  await page.getByText('Create', { exact: false }).first().waitFor(); // the other messages
  await say(page, 'read a.md');
  await page.getByText('one', { exact: true }).last().waitFor();
  expect(faults).toEqual([]);
});

it('works where the browser stores nothing, and says that it is for now only', async () => {
  const { page, faults } = await openApp({
    before: () => {
      Object.defineProperty(IDBFactory.prototype, 'open', {
        value() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    },
  });
  await expectNotice(page, /does not store data for this page.*lost when you close the page.*Export/);
  await say(page, 'write a.md: one then read a.md');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'a.md' }).waitFor();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Another server' }).check();
  await page.getByLabel('API key').fill('sk-1');
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByRole('button', { name: 'Remove key' }).waitFor();
  expect(faults).toEqual([]);
});

it('says that there is no more room and what to do, and keeps what was there', async () => {
  const { page, faults } = await openApp({
    before: () => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...given) {
        if ('isFull' in globalThis) throw new DOMException('Storage is full on the device.', 'QuotaExceededError');
        return put.apply(this, given);
      };
    },
  });
  await say(page, 'write a.md: one');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isFull: true }));
  await say(page, 'write b.md: two');
  await expectNotice(page, /Storage is full.*empty the trash.*try again/);
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('write b.md: two'); // to be sent again

  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await page.getByRole('textbox', { name: 'a.md' }).fill('more');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Storage is full', { exact: false }).first().waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'a.md' }).inputValue()).toBe('more'); // what was typed is still there
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'isFull'));
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click(); // again, as the notice says
  await save.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'a.md' }).inputValue()).toBe('more');
  expect(faults).toEqual([]);
});

it('says what to do with a rejected key, and resumes by itself after a truncated answer or a network failure', async () => {
  const { pause, goesOn } = held();
  const model = await serveModel([
    { status: 401, message: 'Incorrect API key provided.' },
    { text: 'The first half of an answer. '.repeat(4), ends: 'truncated', pause },
    { text: 'The answer, whole.' },
    { text: 'Online again.' },
  ]);
  const { page, context, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Hello');
  await expectEnding(page, /rejected your API key.*Save another key/);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The first half', { exact: false }).first().waitFor();
  goesOn();
  await page.getByText('The answer, whole.', { exact: true }).waitFor();
  expect(await page.getByText('The first half', { exact: false }).count()).toBe(0);
  await context.setOffline(true);
  await say(page, 'Are you there?');
  await page
    .getByText(/cannot be reached\. Trying again/)
    .first()
    .waitFor();
  await context.setOffline(false);
  await page.getByText('Online again.', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

const hostile = [
  '<script>globalThis.isHit = true</script>',
  '<img src="https://evil.example/a.png" onerror="globalThis.isHit = true">',
  '![a picture](https://evil.example/b.png)',
  '[press me](javascript:globalThis.isHit=true)',
  '<a href="javascript:globalThis.isHit=true">or me</a>',
  '<iframe src="https://evil.example/c.html"></iframe>',
  '<style>@import "https://evil.example/d.css";</style>',
  '<svg onload="globalThis.isHit=true"></svg>',
].join('\n\n');

it('runs no code and fetches no address in texts of models or tools', async () => {
  const model = await serveModel([
    { calls: [{ name: 'javascript', input: { code: `return ${JSON.stringify(hostile)};` } }] },
    { text: `${hostile}\n\nThat is all.` },
  ]);
  const { page, faults } = await openApp();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await chooseServer(page, model);
  await say(page, 'Attack');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('That is all.', { exact: true }).waitFor();
  for (const call of await page.locator('utensil-call').all()) await call.getByRole('button').first().click();
  await page.getByText('press me').last().waitFor();
  for (const link of await page.getByText('press me').all()) await link.click({ timeout: 2000 }).catch(() => undefined);
  expect(await page.evaluate(() => 'isHit' in globalThis)).toBe(false);
  expect(await page.locator('[href^="javascript:" i]').count()).toBe(0);
  expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
  expect(faults).toEqual([]);
});

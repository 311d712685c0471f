import { expect, it } from 'vitest';
import { pagesOf } from '../../../../tooling/fixtures/attacks/pdfs.ts';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

it('reads a PDF of the web in a worker, which the policy of the page lets start', async () => {
  const model = await serveModel([
    { calls: [{ name: 'open_link', input: { url: 'https://papers.example.com/a.pdf' } }] },
    { text: 'That is all.' },
  ]);
  const { page, context, faults } = await openApp();
  await context.route('https://papers.example.com/**', async (route) => {
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/pdf' };
    await route.fulfill({ headers, body: Buffer.from(pagesOf('Rye needs time.')) });
  });
  await chooseServer(page, model);
  await say(page, 'Open it');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('That is all.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('[page 1]\\nRye needs time.');
  expect(faults).toEqual([]);
});

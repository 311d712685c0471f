import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

const content = 'buy milk\n<b>and bread</b>\n';

async function attach(page: Page): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach' }).click(),
  ]);
  await chooser.setFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from(content) }]);
}

it('shows a text file as its name and size, opens it to its content, and gives the model all of it', async () => {
  const model = await serveModel([{ text: 'I have read it.' }, { text: 'Again.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await attach(page);
  await say(page, 'What do I buy?');
  await page.getByText('I have read it.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain(JSON.stringify(content).slice(1, -1));
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('notes.md');
  const user = page.getByRole('article', { name: 'You' });
  for (let time = 0; time < 2; time++) {
    expect(await user.innerText()).not.toContain('<file');
    const file = user.locator('summary').filter({ hasText: 'notes.md' });
    expect(await file.innerText()).toMatch(/notes\.md\s+26 bytes/);
    await file.click();
    await user.getByText('<b>and bread</b>').waitFor();
    await page.reload();
    await page.getByText('I have read it.', { exact: true }).waitFor();
  }
  await user.locator('summary').click();
  expect(await lookAt(page, 'attachment')).toEqual([]);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('And now?');
  await page.getByRole('textbox', { name: 'Edit message' }).press('Control+Enter');
  await page.getByText('Again.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('buy milk'); // it is still attached
  expect(faults).toEqual([]);
});

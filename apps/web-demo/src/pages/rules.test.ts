import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

it('goes by the rules of its settings, after a reload too, and by those of the app first', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByText('Set by the administrator').waitFor();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('radio', { name: 'Allow' }).check();
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('button', { name: 'Edit: All calls' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Edit: All calls' }).waitFor();
  await page.getByRole('link', { name: 'New conversation' }).first().click();
  const isAnswered = page.getByRole('button', { name: 'Send' });
  await isAnswered.waitFor();
  await say(page, 'write a.md: one then list');
  await page.getByText('/a.md').last().waitFor();
  await isAnswered.waitFor();
  expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
  await say(page, 'write .env: one');
  await page.getByText('Declined').first().waitFor();
  expect(faults).toEqual([]);
});

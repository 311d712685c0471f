import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

it('no longer asks about calls that are always allowed, even after a reload', async () => {
  const { page, faults } = await openApp();
  const isAnswered = page.getByRole('button', { name: 'Send' });
  await say(page, 'write a.md: one');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await isAnswered.waitFor();
  await page.reload();
  await say(page, 'write b.md: two then list');
  const listed = page.getByText('/b.md').last();
  const question = page.getByRole('button', { name: 'Always allow' });
  await listed.or(question).first().waitFor();
  await isAnswered.waitFor();
  expect(await question.count()).toBe(0);
  expect(faults).toEqual([]);
});

import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

it('shows in one tab what another one says, writes and switches', async () => {
  const one = await openApp();
  await say(one.page, 'remember likes: short answers');
  await one.page.getByRole('button', { name: 'Allow once' }).click();
  await one.page
    .getByText('Remembered', { exact: false })
    .or(one.page.getByText('likes.md', { exact: false }))
    .first()
    .waitFor();

  const other = await openApp({ context: one.context });
  await other.page.getByRole('link', { name: 'remember likes: short answers' }).click();
  await other.page.getByText('remember likes: short answers').last().waitFor();
  await say(other.page, 'help');
  await other.page.getByRole('button', { name: 'Send' }).waitFor();
  await one.page.getByText('help', { exact: true }).first().waitFor(); // the first tab follows

  await one.page.getByRole('link', { name: 'Tools', exact: true }).click();
  await other.page.getByRole('link', { name: 'Tools', exact: true }).click();
  const memory = other.page.getByRole('switch', { name: 'Memory', exact: true });
  expect(await memory.isChecked()).toBe(true);
  await one.page.getByRole('switch', { name: 'Memory', exact: true }).click();
  await expect.poll(() => memory.isChecked()).toBe(false);

  await one.page.getByRole('link', { name: 'Files', exact: true }).click();
  await other.page.getByRole('link', { name: 'Files', exact: true }).click();
  await one.page.getByRole('button', { name: 'New file' }).click();
  await one.page.getByLabel('New file path').fill('/shared.md');
  await one.page.getByRole('button', { name: 'OK' }).click();
  await other.page.getByRole('treeitem', { name: 'shared.md' }).waitFor();
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('runs in two tabs at the same time, and loses nothing of either', async () => {
  const one = await openApp();
  const other = await openApp({ context: one.context });
  await Promise.all([say(one.page, 'write a.md: one'), say(other.page, 'write b.md: two')]);
  await Promise.all([one, other].map(({ page }) => page.getByRole('button', { name: 'Allow once' }).click()));
  await one.page.getByRole('link', { name: 'Files', exact: true }).click();
  await one.page.getByRole('treeitem', { name: 'a.md' }).waitFor();
  await one.page.getByRole('treeitem', { name: 'b.md' }).waitFor();
  await one.page.getByRole('link', { name: 'write b.md: two' }).waitFor();
  await other.page.getByRole('link', { name: 'write a.md: one' }).waitFor();
  expect([...one.faults, ...other.faults]).toEqual([]);
});

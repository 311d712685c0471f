import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseMore } from '../test-kit/files.ts';
import { say } from '../test-kit/model-server.ts';

it('edits what a model wrote, shows the versions and rolls back', async () => {
  const { page, faults } = await openApp();
  await say(page, 'write notes/todo.md: buy milk');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'notes' }).click();
  await page.getByRole('treeitem', { name: 'todo.md' }).click();
  await page.getByLabel('Text of /notes/todo.md').fill('buy bread\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByText('by assistant').or(page.getByText('assistant')).first().waitFor();
  await page.getByText('Removed: buy milk').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 3 (current)').first().waitFor();
  await page.getByRole('button', { name: 'Versions' }).click();
  await expect.poll(() => page.getByLabel('Text of /notes/todo.md').inputValue()).toBe('buy milk\n');

  await page.reload();
  await page.getByRole('treeitem', { name: 'notes' }).click();
  await page.getByRole('treeitem', { name: 'todo.md' }).click();
  await expect.poll(() => page.getByLabel('Text of /notes/todo.md').inputValue()).toBe('buy milk\n');
  expect(faults).toEqual([]);
});

it('imports an old project, and exports what brings it back elsewhere', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  const old = {
    format: 'utensil-bundle',
    version: 1,
    sections: { theme: 'dark' },
    entries: [{ path: '/memories/likes.md', text: 'short answers' }],
  };
  await page.getByLabel('Exported project').setInputFiles({
    name: 'old.utensil.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(old)),
  });
  await page.getByText('Imported 1 file.').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), chooseMore(page, 'Export')]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const exported = Buffer.concat(chunks);
  expect(JSON.parse(exported.toString())).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ path: '/memories/likes.md', text: 'short answers' })]),
  });

  const elsewhere = await openApp();
  await elsewhere.page.getByRole('link', { name: 'Files', exact: true }).click();
  const bundle = { name: 'project.json', mimeType: 'application/json', buffer: exported };
  await elsewhere.page.getByLabel('Exported project').setInputFiles(bundle);
  await elsewhere.page.getByRole('button', { name: 'Replace existing files' }).click(); // the first files of a new project
  await elsewhere.page.getByRole('treeitem', { name: 'memories' }).click();
  await elsewhere.page.getByRole('treeitem', { name: 'likes.md' }).waitFor();
  await elsewhere.page.getByRole('link', { name: 'New conversation' }).click();
  await say(elsewhere.page, 'recall likes');
  await elsewhere.page.getByText('short answers').first().waitFor();
  expect([...faults, ...elsewhere.faults]).toEqual([]);
});

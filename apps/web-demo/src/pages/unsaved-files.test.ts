import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import type { Watched } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

const text = (page: Page, path: string): ReturnType<Page['getByLabel']> => page.getByLabel(`Text of ${path}`);
const visit = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
const look = (page: Page, name: string): Promise<void> => page.getByRole('treeitem', { name }).click();

/** The app with the files /a.md and /b.md, on the page of files. */
async function openFiles(): Promise<Watched> {
  const opened = await openApp();
  await say(opened.page, 'write a.md: one then write b.md: two');
  await opened.page.getByRole('button', { name: 'Allow for this answer' }).click();
  await opened.page.getByRole('button', { name: 'Send' }).waitFor();
  await visit(opened.page, 'Files');
  await look(opened.page, 'b.md');
  await text(opened.page, '/b.md').waitFor();
  return opened;
}

/** Waits until nothing is typed that is not stored. */
async function stored(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))))
    .toBe(true);
}

it('keeps unsaved edits of two files across pages, projects and a reload', async () => {
  const { page, faults } = await openFiles();
  await look(page, 'a.md');
  await text(page, '/a.md').fill('one, typed');
  await look(page, 'b.md');
  await text(page, '/b.md').fill('two, typed');
  await visit(page, 'Models');
  await visit(page, 'Files');
  await expect.poll(() => text(page, '/b.md').inputValue()).toBe('two, typed');
  await page.getByText('You have unsaved changes.').waitFor();

  await page.getByText('Manage projects').click();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name').fill('Kitchen');
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByLabel('Project', { exact: true })
    .locator('option:checked', { hasText: 'Kitchen' })
    .waitFor({ state: 'attached' });
  await visit(page, 'Files');
  await page.getByRole('treeitem', { name: 'notes' }).waitFor(); // the first files of a new project
  expect(await page.getByText('not saved', { exact: false }).count()).toBe(0);
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'My project' });
  await visit(page, 'Files');
  await page.getByRole('treeitem', { name: 'a.md not saved' }).waitFor();

  await stored(page);
  await page.reload();
  await page.getByRole('treeitem', { name: 'b.md not saved' }).waitFor();
  await page.getByRole('treeitem', { name: 'a.md not saved' }).click();
  await expect.poll(() => text(page, '/a.md').inputValue()).toBe('one, typed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('treeitem', { name: 'a.md not saved' }).waitFor({ state: 'detached' });
  await stored(page);
  await page.reload();
  await page.getByRole('treeitem', { name: 'b.md not saved' }).waitFor();
  expect(await page.getByRole('treeitem', { name: 'a.md not saved' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

it('warns before the page is left with edits that are not stored yet', async () => {
  const { page } = await openFiles();
  await text(page, '/b.md').fill('two, typed');
  const isAllowed = await page.evaluate(() => {
    const field = document.querySelector('utensil-files')?.shadowRoot?.querySelector('utensil-file')?.shadowRoot;
    const area = field?.querySelector('textarea');
    if (area == null) throw new Error('There is no text.');
    area.value = 'more';
    area.dispatchEvent(new Event('input'));
    return dispatchEvent(new Event('beforeunload', { cancelable: true }));
  });
  expect(isAllowed).toBe(false);
  await stored(page);
});

it('says after a reload that a file was changed or removed meanwhile, and overwrites nothing', async () => {
  const one = await openFiles();
  await text(one.page, '/b.md').fill('two, typed');
  await look(one.page, 'a.md');
  await text(one.page, '/a.md').fill('one, typed');
  await stored(one.page);
  const url = one.page.url();
  await one.page.goto('about:blank');

  const other = await openApp({ context: one.context });
  await say(other.page, 'write b.md: theirs then delete a.md');
  await other.page.getByRole('button', { name: 'Allow for this answer' }).click();
  await other.page.getByRole('button', { name: 'Send' }).waitFor();

  await one.page.goto(url);
  await look(one.page, 'b.md');
  await one.page.getByText('the file has changed since', { exact: false }).waitFor();
  await expect.poll(() => text(one.page, '/b.md').inputValue()).toBe('two, typed');
  await one.page.getByRole('button', { name: 'a.md', exact: true }).click();
  await one.page.getByText('This file was removed.', { exact: false }).waitFor();
  await expect.poll(() => text(one.page, '/a.md').inputValue()).toBe('one, typed');
  await one.page.getByRole('button', { name: 'Save as a new file' }).click();
  await one.page.getByRole('treeitem', { name: 'a.md' }).waitFor();

  await visit(other.page, 'Files');
  await look(other.page, 'b.md');
  await expect.poll(() => text(other.page, '/b.md').inputValue()).toBe('two, typed'); // the same in every tab
  await other.page.getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(() => text(other.page, '/b.md').inputValue()).toMatch(/^theirs/);
  await expect.poll(() => text(one.page, '/b.md').count()).toBe(0);
  await look(one.page, 'b.md');
  await expect.poll(() => text(one.page, '/b.md').inputValue()).toMatch(/^theirs/);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

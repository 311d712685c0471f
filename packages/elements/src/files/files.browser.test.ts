import { createFiles } from '@utensil/core';
import { mountFiles, readOnly, subtree } from '@utensil/core/files';
import type { ProjectFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { versionedStorage } from '@utensil/storage-versioned';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilFiles } from './files.ts';
import type { FileDraft } from './files.ts';

interface Opened {
  readonly element: UtensilFiles;
  readonly files: ProjectFiles;
  readonly history: ReturnType<typeof versionedStorage>['history'];
}

const button = (name: string): ReturnType<typeof page.getByRole> => page.getByRole('button', { name, exact: true });
/** Chooses something in the menu. */
const choose = async (name: string): Promise<void> => {
  await button('More').click();
  await button(name).click();
};
const line = (name: string): ReturnType<typeof page.getByRole> =>
  page.getByRole('treeitem', { name: new RegExp(`^${name.replaceAll(/[.<]/g, '[$&]')}`) });

beforeEach(() => page.viewport(1200, 800));

async function open(contents: Readonly<Record<string, string | Uint8Array>>, isVersioned = true): Promise<Opened> {
  const storage = versionedStorage(memoryStorage());
  const files = createFiles(storage.as({ actor: 'user' }));
  for (const [path, content] of Object.entries(contents)) await files.write(path, content);
  const { history } = storage;
  const element = await mount(UtensilFiles, { files, ...(isVersioned && { history }) });
  element.style.blockSize = '600px';
  return { element, files, history };
}

const text = async (files: ProjectFiles, path: string): Promise<string> => (await files.readText(path)).text;

it('[S0-30] shows a tree, edits a text, compares its versions and rolls back', async () => {
  const { files } = await open({ '/notes/todo.md': 'buy milk\n' });
  await line('notes').click();
  await line('todo.md').click();
  await page.getByLabelText('Text of /notes/todo.md').fill('buy bread\n');
  await expect.element(page.getByText('You have unsaved changes.')).toBeVisible();
  expect(await text(files, '/notes/todo.md')).toBe('buy milk\n');
  await button('Save').click();
  await expect.poll(() => text(files, '/notes/todo.md')).toBe('buy bread\n');

  await button('Versions').click();
  await expect.element(page.getByText('Removed: buy milk')).toBeInTheDocument();
  await expect.element(page.getByText('Added: buy bread')).toBeInTheDocument();
  await button('Restore version 1').click();
  await expect.poll(() => text(files, '/notes/todo.md')).toBe('buy milk\n');
  await expect.element(page.getByText('Version 3 (current)').first()).toBeVisible();
});

it('[S0-30] moves, copies, removes, restores and tidies up', async () => {
  const { files, history } = await open({ '/a.md': 'one' });
  await line('a.md').click();
  await choose('Rename or move');
  await page.getByLabelText('Move to').fill('/sub/b.md');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Moved to /sub/b.md.')).toBeVisible();
  await choose('Copy');
  await page.getByLabelText('Copy to').fill('/c.md');
  await button('OK').click();
  await expect.element(line('c.md')).toBeVisible();
  expect(await text(files, '/c.md')).toBe('one');

  await choose('Remove');
  await page.getByRole('alert').getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('Moved /c.md to the trash.')).toBeVisible();
  await choose('Trash');
  await button('Restore /c.md').click();
  await expect.element(page.getByText('Restored /c.md.')).toBeVisible();
  expect(await text(files, '/c.md')).toBe('one');
  await button('Delete old items').click();
  await expect.element(page.getByText('Nothing was old enough to delete.')).toBeVisible();
  await files.remove('/c.md');
  await button('Delete old items').click();
  await button('Empty the trash').click();
  await button('Delete forever').click();
  await expect.element(page.getByText('The trash is empty.')).toBeVisible();
  expect(await history.trash()).toEqual([]);
});

it('shows replaced files in the trash, and restores them', async () => {
  const { files } = await open({ '/a.md': 'old', '/b.md': 'new' });
  await files.move('/b.md', '/a.md', { overwrite: true });
  await choose('Trash');
  await expect.element(page.getByText('replaced', { exact: false })).toBeVisible();
  await button('Restore /a.md').click();
  await expect.element(page.getByText('Restored as /a 2.md', { exact: false })).toBeVisible();
});

it('keeps edits while another file is shown, and does not overwrite changes of others', async () => {
  const { files } = await open({ '/a.md': 'mine', '/b.md': 'other' });
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('mine, changed');
  await line('b.md').click();
  await expect.element(page.getByLabelText('Text of /b.md')).toHaveValue('other');
  await expect.element(page.getByRole('treeitem', { name: 'a.md Not saved' })).toBeVisible();
  await files.write('/a.md', 'theirs');
  await line('a.md').click();
  await expect.element(page.getByLabelText('Text of /a.md')).toHaveValue('mine, changed');
  await expect.element(page.getByText('the file has changed since', { exact: false })).toBeVisible();
  expect(await text(files, '/a.md')).toBe('theirs');
  await button('Overwrite with mine').click();
  await expect.poll(() => text(files, '/a.md')).toBe('mine, changed');
});

it('is worked by keys alone', async () => {
  const { element } = await open({ '/docs/a.md': 'A', '/z.md': 'Z' });
  await expect.element(line('docs')).toBeVisible();
  (line('docs').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(line('a.md')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.element(page.getByLabelText('Text of /docs/a.md')).toHaveValue('A');
  await userEvent.keyboard('{F2}');
  await expect.element(page.getByLabelText('Move to')).toBeVisible();
  expect(element.shadowRoot?.activeElement?.id).toBe('path');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByLabelText('Move to')).not.toBeInTheDocument();
});

it('shows pictures, and says of other bytes what they are', async () => {
  const png = Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
    (character) => character.charCodeAt(0),
  );
  await open({ '/dot.png': png, '/data.bin': new Uint8Array([0, 1, 2, 255]) });
  await line('dot.png').click();
  await expect.element(page.getByRole('img', { name: 'dot.png' })).toBeVisible();
  await line('data.bin').click();
  await expect.element(page.getByText('No preview for', { exact: false })).toBeVisible();
});

it('takes files in under names that nothing has, and brings an exported project back', async () => {
  const { element, files } = await open({ '/a.md': 'one' });
  const give = async (input: string, given: File): Promise<void> => {
    const picker = element.renderRoot.querySelector<HTMLInputElement>(input);
    const taken = new DataTransfer();
    taken.items.add(given);
    if (picker === null) throw new Error(`there is no ${input}`);
    picker.files = taken.files;
    picker.dispatchEvent(new Event('change'));
  };
  await give('#upload', new File(['two'], 'a.md'));
  await expect.poll(() => text(files, '/a 2.md')).toBe('two');
  await give('#upload', new File(['three'], '..\\..\\evil/\u202Ename.md'));
  await expect.poll(() => text(files, '/.._.._evil__name.md')).toBe('three');

  const bundle = JSON.stringify({
    format: 'utensil-bundle',
    version: 1,
    sections: {},
    entries: [
      { path: '/a.md', text: 'theirs' },
      { path: '/old/project.md', text: 'kept' },
    ],
  });
  await give('#bundle', new File([bundle], 'project.utensil.json'));
  await button('Import only new files').click();
  await expect.poll(() => text(files, '/old/project.md')).toBe('kept');
  expect(await text(files, '/a.md')).toBe('one');
  await give('#bundle', new File(['{"no bundle'], 'broken.json'));
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(await text(files, '/a.md')).toBe('one');
});

it('has no more lines in the page than are seen, of ten thousand files', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`/${index}.md`, '']));
  const { element } = await open(many, false);
  await expect.element(line('42.md')).not.toBeInTheDocument();
  await expect.element(line('0.md')).toBeVisible();
  expect(element.renderRoot.querySelectorAll('[role=treeitem]').length).toBeLessThan(60);
  (line('0.md').element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.element(line('9999.md')).toBeInViewport();
  expect(element.shadowRoot?.activeElement?.getAttribute('data-path')).toBe('/9999.md');
});

it('shows hostile names as text', async () => {
  const { element } = await open({ '/<img src=x onerror=alert(1)>.md': '<script>alert(1)</script>' });
  await line('<img').click();
  await expect.element(page.getByRole('textbox')).toHaveValue('<script>alert(1)</script>');
  expect(element.renderRoot.querySelector('img, script')).toBeNull();
});

it.each(['light', 'dark'])('has no accessibility problems in %s', async (scheme) => {
  document.documentElement.style.colorScheme = scheme;
  document.body.style.background = 'canvas';
  onTestFinished(() => {
    for (const element of [document.documentElement, document.body]) element.removeAttribute('style');
  });
  const { element, files } = await open({ '/notes/todo.md': 'buy milk\n', '/b.md': '' });
  await files.write('/notes/todo.md', 'buy bread\n');
  await files.remove('/b.md');
  await line('notes').click();
  await line('todo.md').click();
  await page.getByLabelText('Text of /notes/todo.md').fill('more\n');
  expect(await accessibilityProblems(element)).toEqual([]);
  await button('Versions').click();
  await expect.element(page.getByText('Added: buy bread')).toBeInTheDocument();
  await choose('Rename or move');
  expect(await accessibilityProblems(element)).toEqual([]);
  await choose('Trash');
  await button('Empty the trash').click();
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('keeps the ends of lines and the encoding of a file that is edited', async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0]);
  const { files } = await open({ '/dos.txt': 'one\r\ntwo\r\n', '/wide.txt': utf16 });
  await line('dos.txt').click();
  await page.getByLabelText('Text of /dos.txt').fill('one\nthree\ntwo\n');
  await button('Save').click();
  await expect.poll(() => text(files, '/dos.txt')).toBe('one\r\nthree\r\ntwo\r\n');
  await line('wide.txt').click();
  await page.getByLabelText('Text of /wide.txt').fill('b\n');
  await button('Save').click();
  const stored = [0xff, 0xfe, 0x62, 0, 0x0d, 0, 0x0a, 0];
  await expect.poll(async () => [...(await files.read('/wide.txt')).bytes]).toEqual(stored);
});

it('shows nothing of one project in another, and keeps what is not saved until it is back', async () => {
  const { element, files } = await open({ '/same.md': 'first', '/only.md': '' });
  await line('same.md').click();
  await page.getByLabelText('Text of /same.md').fill('typed');
  const other = createFiles(memoryStorage());
  await other.write('/same.md', 'second');
  element.files = other;
  await expect.element(page.getByLabelText('Text of /same.md')).toHaveValue('second');
  await expect.element(line('only.md')).not.toBeInTheDocument();
  expect(page.getByText('Not saved').elements()).toHaveLength(0);
  element.files = files;
  await expect.element(page.getByLabelText('Text of /same.md')).toHaveValue('typed');
});

/** Accessible name of the focused control, in any shadow root. */
function focused(): string | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.ariaLabel ?? element?.textContent.trim();
}

it('never loses the focus to a button that goes', async () => {
  const { files, history } = await open({ '/a.md': 'one', '/b.md': 'two' });
  await files.remove('/b.md');
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('two');
  button('Discard my changes').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => focused()).toBe('Text of /a.md');

  await choose('Trash');
  await expect.element(button('Delete forever: /b.md')).toBeEnabled(); // the trash is read first
  button('Delete forever: /b.md').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => focused()).toBe('Keep');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => focused()).toBe('Delete forever: /b.md');
  await userEvent.keyboard('{Enter}{Shift>}{Tab}{/Shift}{Enter}');
  await expect.poll(() => history.trash()).toEqual([]);
  await expect.poll(() => focused()).toBe('Delete old items');
});

it('keeps the focus where a narrow screen goes from the tree to a file', async () => {
  await page.viewport(320, 700);
  await open({ '/a.md': 'one' });
  await button('New file').click();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Text of /new.md')).toBeVisible();
  await expect.poll(() => focused()).toBe('All files');
});

it('says that a file is removed until it is back', async () => {
  const { files } = await open({ '/a.md': 'one' });
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('mine');
  await files.remove('/a.md');
  await expect.element(page.getByText('This file was removed.', { exact: false })).toBeVisible();
  await expect.element(page.getByLabelText('Text of /a.md')).toHaveValue('mine');
  await files.write('/a.md', 'theirs');
  await expect.element(page.getByText('This file was removed.', { exact: false })).not.toBeInTheDocument();
  await expect.element(button('Overwrite with mine')).toBeVisible();
});

it('saves what was typed of a file that was removed, and finds it though the tree does not', async () => {
  const { files } = await open({ '/a.md': 'one', '/b.md': 'other' });
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('mine');
  await files.remove('/a.md');
  await line('b.md').click();
  await expect.element(page.getByLabelText('Text of /b.md')).toBeVisible();
  await button('a.md').click();
  await expect.element(page.getByLabelText('Text of /a.md')).toHaveValue('mine');
  await button('Save as a new file').click();
  await expect.poll(() => text(files, '/a.md')).toBe('mine');
  await expect.element(page.getByText('unsaved', { exact: false })).not.toBeInTheDocument();
});

it('tells a page what is not saved, and shows it again when the page gives it back', async () => {
  const { element, files, history } = await open({ '/a.md': 'one', '/sub/b.md': 'two' });
  let kept = new Map<string, FileDraft>();
  element.addEventListener('utensil-draft', (event) => {
    const { path, draft } = (event as CustomEvent<{ path: string; draft?: FileDraft }>).detail;
    kept = new Map(kept);
    if (draft === undefined) kept.delete(path);
    else kept.set(path, draft);
  });
  await line('sub').click();
  await line('b.md').click();
  await page.getByLabelText('Text of /sub/b.md').fill('typed');
  expect(kept.get('/sub/b.md')?.text).toBe('typed');
  element.remove();

  const again = await mount(UtensilFiles, { files, history, drafts: kept, keepsDrafts: true });
  await button('b.md').click(); // its folder is closed
  await expect.element(page.getByLabelText('Text of /sub/b.md')).toHaveValue('typed');
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(false);
  again.keepsDrafts = false;
  dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

it('takes what is not saved along when a file is moved', async () => {
  const { files } = await open({ '/a.md': 'one' });
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('typed');
  await choose('Rename or move');
  await page.getByLabelText('Move to').fill('/c.md');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Text of /c.md')).toHaveValue('typed');
  await button('Save').click();
  await expect.poll(() => text(files, '/c.md')).toBe('typed');
  await expect.element(page.getByText('unsaved', { exact: false })).not.toBeInTheDocument();
});

const exportOf = (entries: readonly object[]): string =>
  JSON.stringify({ format: 'utensil-bundle', version: 1, sections: {}, entries });
const many = Array.from({ length: 5 }, (_, index) => ({ path: `/${index}.md`, text: 'new' }));

it.each([
  ['one file', exportOf([{ path: '/new.md', text: 'x' }]), /^Imported 1 file\.$/],
  ['no files', exportOf([]), /Nothing was imported: .* contains no files/],
  ['an empty file', '', /Nothing was imported: .* is empty/],
  ['any other file', 'PK\u0003\u0004', /is not an exported project.*“Upload”/],
  ['another kind of JSON', '{"name":"x"}', /is not an exported project/],
  ['half of an export', exportOf(many).slice(0, -20), /Nothing was imported: .* is damaged or incomplete/],
  ['a bad entry', exportOf([{ text: 'x' }]), /is damaged or incomplete/],
  ['a newer one', exportOf([]).replace('"version":1', '"version":9'), /newer version of this app/],
  ['too large a file', exportOf([{ path: '/big', text: 'x'.repeat(11_000_000) }]), /\/big in .* is too large/],
])('says in plain words what came of importing %s', async (_, content, words) => {
  const { element } = await open({});
  await importFile(element, content);
  await expect.element(page.getByText(words).first()).toBeVisible();
  expect(page.getByText(/bundle_|EFBIG|JSON/).elements()).toHaveLength(0);
});

it('lists the files that an import left unchanged, and those that cannot be replaced', async () => {
  const { element, files } = await open({ '/0.md': 'old', '/1.md/in.md': 'old' });
  await importFile(element, exportOf(many));
  await expect.element(page.getByText(/Nothing was imported yet: .* such as \/0\.md/)).toBeVisible();
  await button('Replace existing files').click();
  await expect.element(page.getByText(/\/1\.md cannot be replaced/)).toBeVisible();
  expect(await text(files, '/0.md')).toBe('old');
  await button('Import only new files').click();
  await expect
    .element(page.getByText('Imported 3 files. Already here and left unchanged: /0.md, /1.md.'))
    .toBeVisible();
});

async function importFile(element: UtensilFiles, content: string): Promise<void> {
  const picker = element.renderRoot.querySelector<HTMLInputElement>('#bundle');
  const taken = new DataTransfer();
  taken.items.add(new File([content], 'my project.utensil.json'));
  if (picker === null) throw new Error('there is no place for an exported project');
  picker.files = taken.files;
  picker.dispatchEvent(new Event('change'));
}

/** Opens /a.md, with writes that wait until they are let through. */
async function openSlow(): Promise<Opened & { letThrough(): void }> {
  const opened = await open({ '/a.md': 'one', '/b.md': 'other' });
  const { element, files } = opened;
  const waiting: (() => void)[] = [];
  element.files = {
    ...files,
    async write(...given) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return files.write(...given);
    },
  };
  await line('a.md').click();
  return { ...opened, letThrough: () => waiting.shift()?.() };
}

const unsaved = page.getByText('You have unsaved changes.');

it('saves the newest text if Save is clicked while a save is under way, where that click was lost', async () => {
  const { files, letThrough } = await openSlow();
  const field = page.getByLabelText('Text of /a.md');
  await field.fill('two');
  await button('Save').click();
  await field.fill('three');
  await button('Save').click();
  await button('Save').click();
  letThrough();
  await expect.poll(() => text(files, '/a.md')).toBe('two');
  await expect.poll(() => (letThrough(), text(files, '/a.md'))).toBe('three');
  await expect.element(unsaved).not.toBeInTheDocument();
  expect(page.getByRole('alert').elements()).toEqual([]);
});

it('does not take its own save for a change by somebody else while more is typed', async () => {
  const { element, files, letThrough } = await openSlow();
  const field = page.getByLabelText('Text of /a.md');
  await field.fill('two');
  await button('Save').click();
  await field.fill('three');
  letThrough();
  await expect.poll(() => text(files, '/a.md')).toBe('two');
  await expect.poll(() => element.drafts.get('/a.md')?.etag).toBe((await files.stat('/a.md'))?.etag);
  await expect.element(unsaved).toBeVisible();
  await button('Save').click();
  await expect.poll(() => (letThrough(), text(files, '/a.md'))).toBe('three');
});

it('forgets a draft that is saved while another file is looked at', async () => {
  const { element, files, letThrough } = await openSlow();
  await page.getByLabelText('Text of /a.md').fill('two');
  await button('Save').click();
  await line('b.md').click();
  letThrough();
  await expect.poll(() => text(files, '/a.md')).toBe('two');
  await expect.poll(() => element.drafts.size).toBe(0);
  await expect.element(page.getByLabelText('Text of /b.md')).toHaveValue('other');
});

it('shows part of a project, and other files in one of its folders, which may be read alone', async () => {
  const all = createFiles(memoryStorage());
  await all.write('/projects/first/a.md', 'mine');
  await all.write('/elsewhere.md', 'not mine');
  const shared = createFiles(memoryStorage());
  await shared.write('/logo.svg', '<svg/>');
  await mount(UtensilFiles, {
    files: mountFiles(subtree(all, '/projects/first'), { '/share': readOnly(shared) }),
  });
  await line('a.md').click();
  await page.getByLabelText('Text of /a.md').fill('changed');
  await button('Save').click();
  await expect.poll(async () => (await all.readText('/projects/first/a.md')).text).toBe('changed');
  await expect.element(line('elsewhere.md')).not.toBeInTheDocument();

  await line('share').click();
  await line('logo.svg').click();
  await choose('Remove');
  await page.getByRole('alert').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByRole('alert').element().textContent).toContain('It is read-only.');
  await expect.element(line('logo.svg')).toBeVisible();
  await shared.write('/other.svg', '<svg/>');
  await expect.element(line('other.svg')).toBeVisible();
});

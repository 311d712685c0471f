import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilValue } from './value.ts';

it('shows texts, output of terminals and JSON', async () => {
  const element = await mount(UtensilValue, { value: 'a\u001b[31mred\u001b[0m\u202E' });
  const shown = async (): Promise<string | undefined> => {
    await element.updateComplete;
    return element.renderRoot.querySelector('pre')?.textContent;
  };
  expect(await shown()).toBe('ared⟨U+202E⟩');
  element.value = { list: [1, 'two'] };
  expect(JSON.parse((await shown()) ?? '')).toEqual({ list: [1, 'two'] });
  element.value = null;
  expect(await shown()).toBe('null');
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('has no controls if `quiet` is set and nothing is hidden', async () => {
  const element = await mount(UtensilValue, { value: 'short', quiet: true });
  expect(element.renderRoot.querySelector('button')).toBeNull();
  element.value = 'long\n'.repeat(100);
  await expect.element(page.getByRole('button', { name: 'Show all (500 characters)' })).toBeVisible();
});

it('gives all of a long text as a file, and says where it could not be copied', async () => {
  const value = { rows: Array.from({ length: 50_000 }, (_, row) => `row ${row}`) };
  const element = await mount(UtensilValue, { value, filename: 'rows.json' });
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download, this.href);
  });
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
  onTestFinished(() => [click, copy].forEach((spy) => spy.mockRestore()));
  await page.getByRole('button', { name: /Download/ }).click();
  const [name, url = ''] = saved;
  expect(name).toBe('rows.json');
  expect(await (await fetch(url)).json()).toEqual(value);
  await page.getByRole('button', { name: /Copy/ }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('Copy failed');
  expect(element.renderRoot.textContent.length).toBeLessThan(10_000);
});

it('shows all of it in rows, of which few are in the page, and back', async () => {
  const value = Array.from({ length: 2_000_000 }, (_, line) => line).join('\n');
  const element = await mount(UtensilValue, { value, label: 'Numbers' });
  await page.getByRole('button', { name: /Show all/ }).click();
  const rows = element.renderRoot.querySelector('utensil-whole')?.renderRoot;
  const shown = (): readonly string[] =>
    [...(rows?.querySelectorAll('.rows div') ?? [])].map(({ textContent }) => textContent);
  await expect.poll(() => shown()[0]).toBe('0');
  const scroll = rows?.querySelector('.scroll');
  scroll?.scrollTo({ top: scroll.scrollHeight });
  await expect.poll(() => shown()).toContain('1999999'); // though no page is as high as these rows
  expect(shown().length).toBeLessThan(50);
  const find = page.getByRole('searchbox', { name: 'Find: Numbers' });
  await find.fill('none');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect.element(page.getByText('Not found')).toBeVisible();
  await find.fill('1234567');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect.poll(() => rows?.querySelector('.hit')?.textContent).toBe('1234567');
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Show less' }).click();
  await expect.element(page.getByRole('button', { name: /Show all/ })).toBeVisible();
});

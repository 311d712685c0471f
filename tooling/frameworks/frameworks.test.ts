import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { chromium } from 'playwright';
import type { Browser, Page } from 'playwright';
import { build, preview } from 'vite';
import type { PreviewServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumOptions } from '../chromium.ts';
import { writeApps } from './apps.ts';

const names = ['html', 'vue', 'svelte'] as const;
const home = join(import.meta.dirname, '../..');
/** Ignored by git, and below the `node_modules` that the apps import from. */
const root = join(import.meta.dirname, 'node_modules/.apps');

describe('the apps of the documents', () => {
  let server: PreviewServer | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    writeApps((path) => readFileSync(join(home, path), 'utf8'), root);
    const shared = { root, configFile: false, logLevel: 'error' } as const;
    await build({
      ...shared,
      plugins: [
        vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('utensil-') } } }),
        svelte({ configFile: false }),
      ],
      resolve: { conditions: ['@utensil/source', 'module', 'browser', 'production'] },
      build: {
        target: 'es2023',
        rolldownOptions: { input: [...names, 'react'].map((name) => join(root, `${name}.html`)) },
      },
    });
    server = await preview({ ...shared, preview: { host: '127.0.0.1', port: 0, open: false } });
    browser = await chromium.launch(chromiumOptions());
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(name: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const context = await browser?.newContext();
    if (context === undefined) throw new Error('There is no browser.');
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 })); // some Chromiums ask for it
    await page.goto(`${server?.resolvedUrls?.local[0] ?? ''}${name}.html`);
    return { page, faults };
  }

  it.each(names)('%s: asks, is answered, shows settings and files, and begins again', async (name) => {
    const { page, faults } = await open(name);
    const thread = page.locator('utensil-thread');
    await page.getByLabel('Message').fill('remember shopping: milk');
    await page.getByRole('button', { name: 'Send' }).click();
    await thread.getByRole('button', { name: 'Allow once' }).click();
    await thread.getByText('shopping.md').last().waitFor();

    await page.locator('utensil-files').getByText('memories').first().waitFor();
    const memory = page.locator('utensil-settings').getByRole('switch', { name: 'Memory' });
    expect(await memory.isChecked()).toBe(true);

    await thread.getByRole('button', { name: 'Edit' }).click();
    await thread.getByRole('textbox').fill('recall shopping');
    await thread.getByRole('button', { name: 'Send' }).click();
    await thread.getByText('recall shopping', { exact: true }).first().waitFor();
    await thread.getByText('remember shopping: milk', { exact: true }).waitFor({ state: 'detached' });
    await thread.getByText('milk').last().waitFor();

    await memory.click();
    await thread.getByRole('button', { name: 'Regenerate' }).click();
    await thread.getByText('is off').first().waitFor();

    await page.reload();
    await thread.getByText('recall shopping', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('react: asks, is answered, and changes settings', async () => {
    const { page, faults } = await open('react');
    const thread = page.locator('utensil-thread');
    const send = async (text: string): Promise<void> => {
      await page.getByLabel('Message').fill(text);
      await page.getByLabel('Message').press('Enter');
    };
    await send('remember shopping: milk');
    await thread.getByRole('button', { name: 'Allow once' }).click();
    await thread.getByText('shopping.md').last().waitFor();
    await page.locator('utensil-settings').getByRole('switch', { name: 'Memory' }).click();
    await send('recall shopping');
    await thread.getByText('is off').first().waitFor();
    await page.reload();
    await thread.getByText('recall shopping', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });
});

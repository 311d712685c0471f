// Apps as bundlers make them: by Vite for a page, whose worker becomes a file of its own; by rolldown in one file for Node.js.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loopback } from '@utensil/tooling-loopback';
import { chromium } from 'playwright';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../../tooling/fixtures/attacks/pdfs.ts';
import { chromiumOptions } from '../../../tooling/chromium.ts';
import { sourceCondition } from '../../../tooling/workspace/manifest.ts';

const index = join(import.meta.dirname, 'index.ts');
const bytes = Array.from(pagesOf('Hello'));
const conditions = [sourceCondition, 'import', 'module', 'default'];

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'utensil-pdf-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

it('reads a PDF in a page that Vite has built, and says so if the worker is not served', async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, 'main.js'), `import { readPdf } from '${index}'; globalThis.readPdf = readPdf;`);
    await writeFile(join(directory, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
    await build({
      root: directory,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions },
      worker: { format: 'es' },
      build: { outDir: join(directory, 'dist'), target: 'es2023' },
    });
    const isServed = { worker: true };
    const server = await loopback(async ({ path }) => {
      if (path.includes('worker') && !isServed.worker) return { status: 404, body: [] };
      const file = path === '/' ? '/index.html' : path;
      const body = await readFile(join(directory, 'dist', file)).catch(() => undefined);
      const type = file.endsWith('.html') ? 'text/html' : 'text/javascript';
      return {
        status: body === undefined ? 404 : 200,
        headers: { 'content-type': type },
        body: body === undefined ? [] : [body],
      };
    });
    const browser = await chromium.launch(chromiumOptions());
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      const read = async (): Promise<unknown> =>
        page.evaluate(
          `readPdf(new Uint8Array(${JSON.stringify(bytes)})).then(({ text }) => text, ({ message }) => message)`,
        );
      expect(await read()).toBe('[page 1]\nHello');
      isServed.worker = false;
      expect(await read()).toContain('The PDF reader cannot start');
    } finally {
      await browser.close();
      await server.close();
    }
  });
});

describe('a program that is one file, without its worker', () => {
  it.each([
    { name: 'knows its address', define: {} },
    { name: 'has none, as some bundlers make CommonJS', define: { 'import.meta.url': 'undefined' } },
  ])('is told that the reader cannot start: one that $name', async ({ define }) => {
    await inDirectory(async (directory) => {
      const main = join(directory, 'main.ts');
      const program = `import { readPdf } from '${index}'; await readPdf(new Uint8Array(${JSON.stringify(bytes)})).catch(({ code, message }) => console.log(code, message));`;
      await writeFile(main, program);
      await symlink(join(import.meta.dirname, '../node_modules'), join(directory, 'node_modules'));
      const bundled = await rolldown({
        input: main,
        platform: 'node',
        resolve: { conditionNames: [...conditions, 'node'] },
        transform: { define },
      });
      await bundled.write({ file: join(directory, 'app.mjs'), format: 'esm', codeSplitting: false });
      await bundled.close();
      const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'app.mjs')], {
        timeout: 100_000,
      });
      expect(stdout).toMatch(/^tool_failed The PDF reader cannot start/);
      expect(stdout).not.toContain(directory);
    });
  });
});

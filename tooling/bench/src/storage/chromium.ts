import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../../chromium.ts';
import type { Job, Measurement } from './job.ts';
import type { PageScope } from './page.ts';
import { cpuMsOfAll, treeOf, writtenBy } from './processes.ts';
import type { Reading } from './scenarios.ts';

const address = 'http://localhost/'; // answered without a server; browsers trust it like https

/** Measures in a page of a browser started for this purpose, with its own profile on disk. */
export async function measureInChromium(job: Job, directory: string): Promise<Measurement> {
  const script = await bundlePage();
  const options = chromiumOptions(['--js-flags=--expose-gc']);
  const browser = await chromium.launchPersistentContext(join(directory, 'profile'), options);
  try {
    const page = await browser.newPage();
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(address);
    await page.exposeFunction('meter', readBrowser);
    await page.addScriptTag({ content: script, type: 'module' });
    await page.waitForFunction(() => 'measure' in globalThis);
    const timings = await page.evaluate((given) => (globalThis as unknown as PageScope).measure(given), job);
    return { timings, processCpuMs: cpuMsOfAll(treeOf(process.pid)) };
  } finally {
    await browser.close();
  }
}

/** Usage of all processes of the browser so far. */
function readBrowser(): Reading {
  const pids = treeOf(process.pid).slice(1);
  return { cpuMs: cpuMsOfAll(pids), written: writtenBy(pids) };
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    conditions: ['@utensil/source'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

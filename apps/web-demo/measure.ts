// Measures the delay between a person's action and its display in a conversation of 10,000 messages, by the browser's
// Event Timing. Run by `npm run bench -- web`; figures are printed, never asserted.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
import { build, preview } from 'vite';
import { mixedMessages, seedThread } from './src/test-kit/long-thread.ts';

measureRegistry(50);

const root = import.meta.dirname;
const outDir = await mkdtemp(join(tmpdir(), 'utensil-web-demo-'));
const shared = {
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
} as const;
await build(shared);
const server = await preview({ ...shared, preview: { host: '127.0.0.1', port: 0, open: false } });
const executablePath = process.argv[2];
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  await measure(await browser.newPage({ viewport: { width: 1280, height: 800 } }));
} finally {
  await browser.close();
  await server.close();
  await rm(outDir, { recursive: true, force: true });
}

/** Time for an app to start with this many tools, in this process: the median of many runs, without the first ones. */
function measureRegistry(count: number): void {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `tool_${index}`,
      description: `Does ${index}.`,
      input: jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } }),
      execute: ({ text }) => text,
    }),
  );
  const taken = (work: () => unknown): string => {
    const times = Array.from({ length: 300 }, () => {
      const begun = performance.now();
      work();
      return performance.now() - begun;
    });
    const sorted = times.slice(100).toSorted((one, other) => one - other);
    return `${sorted[100]?.toFixed(3)} ms, ${times[0]?.toFixed(3)} ms the first time`;
  };
  console.log(`registry of ${count} tools   ${taken(() => createRegistry(tools))}`);
  const registry = createRegistry(tools);
  console.log(`toolset of ${count} tools    ${taken(() => resolveToolset(registry, emptySettings, {}))}`);
}

async function measure(page: Page): Promise<void> {
  const url = server.resolvedUrls?.local[0] ?? '';
  await page.goto(url);
  await page.getByLabel('Message').waitFor();
  await seedThread(page, 'long', mixedMessages(10_000));
  const begun = performance.now();
  await page.goto(`${url}#/chat/first/long`);
  await page.reload();
  await page.getByRole('heading', { name: 'Note 9999' }).waitFor();
  console.log(
    `opened 10,000 messages in ${Math.round(performance.now() - begun)} ms, the page and its scripts included\n`,
  );
  await page.evaluate(watch);

  await print(page, 'typing', async () => {
    await page.getByLabel('Message').pressSequentially('what is in notes', { delay: 40 });
  });
  await print(page, 'opening a call', async () => {
    for (let count = 0; count < 6; count++) {
      await page.locator('utensil-call').getByRole('button').first().click();
      await settled(page);
    }
  });
  await print(page, 'scrolling by keys', async () => {
    await page.getByRole('region').first().focus();
    for (let count = 0; count < 12; count++) {
      await page.keyboard.press('PageUp');
      await settled(page);
    }
  });
  await print(page, 'opening the tools', async () => {
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    await settled(page);
  });
  await print(page, 'switching a tool', async () => {
    for (let count = 0; count < 6; count++) {
      await page.getByRole('switch', { name: 'Memory', exact: true }).last().click();
      await settled(page);
    }
  });
}

/** An interaction, in milliseconds of the page's clock. */
interface Interaction {
  readonly name: string;
  readonly startTime: number;
  /** Duration until the next paint. */
  readonly duration: number;
}

/**
 * Runs in the page: records every interaction; clicks below 16 ms are not reported by the browser. Key presses are measured until the
 * frame after them is drawn: without a display, the browser reports many of them with the next screenshot.
 */
function watch(): void {
  const interactions: Interaction[] = [];
  Object.assign(globalThis, { interactions });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const isClick = 'interactionId' in entry && entry.interactionId !== 0 && !entry.name.startsWith('key');
      if (isClick) interactions.push(entry.toJSON() as Interaction);
    }
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  const drawn = ({ type: name, timeStamp: startTime }: Event): void => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      interactions.push({ name, startTime, duration: performance.now() - startTime });
    });
    port1.start();
    requestAnimationFrame(() => port2.postMessage(undefined));
  };
  addEventListener('keydown', drawn, { capture: true });
}

async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => setTimeout(then, 60))));
}

/** The browser reports some interactions late: counts those that began here and are reported before the next paint. */
async function print(page: Page, what: string, interact: () => Promise<void>): Promise<void> {
  const begun = await page.evaluate<number>('performance.now()');
  await interact();
  await settled(page);
  await page.screenshot({ path: join(outDir, 'painted.png') });
  await settled(page);
  const all = await page.evaluate<readonly Interaction[]>('interactions.splice(0)');
  const durations = all.filter(({ startTime }) => startTime >= begun).map(({ duration }) => duration);
  const sorted = durations.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  const text =
    median === undefined
      ? 'all below 16 ms'
      : `median ${median.toFixed(0)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms of ${sorted.length}`;
  console.log(`${what.padEnd(20)} ${text}`);
}

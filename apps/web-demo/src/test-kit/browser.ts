import { chromium } from 'playwright';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { chromiumOptions } from '../../../../tooling/chromium.ts';

let browser: Browser | undefined;

/** Lets the tests of a file drive the shared browser, or one of their own if it needs switches. */
export function useBrowser(args: readonly string[] = []): void {
  beforeAll(async () => {
    browser =
      args.length === 0 ? await chromium.connect(inject('browserUrl')) : await chromium.launch(chromiumOptions(args));
  });
  afterAll(() => browser?.close());
}

/** What a page did that none may do. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and what the page's policy had to stop. */
  readonly faults: readonly string[];
}

/** The app in a profile of its own, or in that of another page as one more tab. */
export async function openApp(
  options: {
    readonly context?: BrowserContext;
    readonly path?: string;
    readonly viewport?: { width: number; height: number };
    /** Runs in the page before anything of the app. */
    before?(): void;
  } = {},
): Promise<Watched> {
  const { path = '', viewport = { width: 1280, height: 800 } } = options;
  if (browser === undefined) throw new Error('Call useBrowser() in the file first.');
  const context = options.context ?? (await browser.newContext({ viewport, reducedMotion: 'reduce' }));
  if (options.context === undefined)
    onTestFinished(async () => {
      await context.unrouteAll({ behavior: 'ignoreErrors' }); // a service worker may still be loading
      await context.close();
    });
  const page = await context.newPage();
  if (options.before !== undefined) await page.addInitScript(options.before);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(inject('appUrl') + path);
  return { page, context, faults };
}

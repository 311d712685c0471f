import { chromium } from 'playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { inject, onTestFinished } from 'vitest';

const desk = { width: 1280, height: 800 };

/** A profile that tests use one after the other, each from empty: a new one would load and compile the app again. */
interface SharedProfile {
  readonly page: Page;
  readonly context: BrowserContext;
  isTaken: boolean;
}

let browser: Promise<Browser> | undefined;
let shared: SharedProfile | undefined;

/** The connection that all files of a worker share: it ends with the worker, and closes its pages. */
function connected(): Promise<Browser> {
  return (browser ??= chromium.connect(inject('browserUrl')));
}

/** A violation by a page. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and violations of the page's policy. */
  readonly faults: readonly string[];
}

/** Options of an opened app. */
export interface AppOptions {
  /** The profile of another page, to open one more tab in. */
  readonly context?: BrowserContext;
  readonly path?: string;
  /** Installs the service worker, which loads all of the app: only for tests of being offline. */
  readonly isKeptOffline?: boolean;
  /** Runs in the page before anything of the app. */
  before?(): void;
}

/** The app in a profile that is empty, or in that of another page as one more tab. */
export async function openApp(options: AppOptions = {}): Promise<Watched> {
  const { path = '', before } = options;
  const page = await (options.context?.newPage() ?? emptyPage(options));
  if (before !== undefined) await page.addInitScript(before);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(inject('appUrl') + path);
  return { page, context: page.context(), faults };
}

/** The page of the shared profile, or one of a profile of its own if that is taken or would be left changed. */
async function emptyPage({ before, isKeptOffline = false }: AppOptions): Promise<Page> {
  if (before !== undefined || isKeptOffline || shared?.isTaken === true) {
    const context = await newProfile(isKeptOffline ? {} : { serviceWorkers: 'block' });
    onTestFinished(async () => {
      await context.unrouteAll({ behavior: 'ignoreErrors' }); // a service worker may still be loading
      await context.close();
    });
    return context.newPage();
  }
  const profile = (shared ??= await sharedProfile());
  profile.isTaken = true;
  onTestFinished(() => giveBack(profile));
  return profile.page;
}

async function newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  const driven = await connected();
  const context = await driven.newContext({ viewport: desk, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(100_000); // loaded machines take ten times as long as idle ones
  return context;
}

async function sharedProfile(): Promise<SharedProfile> {
  const context = await newProfile({ serviceWorkers: 'block' });
  return { context, page: await context.newPage(), isTaken: false };
}

/** Leaves the profile as empty as a new one, or has the next test make a new one. */
async function giveBack(profile: SharedProfile): Promise<void> {
  shared = undefined;
  const { page, context } = profile;
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  if (page.isClosed()) return context.close();
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: null });
  await page.goto(new URL('icon.svg', inject('appUrl')).href); // of the same origin, with nothing running
  await page.evaluate(() => sessionStorage.clear());
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: new URL(inject('appUrl')).origin,
    storageTypes: 'all',
  });
  await session.detach();
  shared = { ...profile, isTaken: false };
}

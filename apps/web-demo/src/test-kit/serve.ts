import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import type { Plugin } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromiumOptions } from '../../../../tooling/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the built app, for the tests of this run. */
    readonly appUrl: string;
    /** Address at which the one browser of this run is driven. */
    readonly browserUrl: string;
  }
}

/** Names of the loopback that stand for a server in the local network, for its storage, and for one on the internet. */
const names = ['lan.example', 'nas.local', 'plain.example'].map((name) => `MAP ${name} 127.0.0.1`).join();

/** Has browsers keep the code of the app, whose names are of its contents: it is otherwise asked about for each test. */
const keptAssets: Plugin = {
  name: 'kept-assets',
  configurePreviewServer({ middlewares }) {
    middlewares.use('/assets/', (_, response, next) => {
      response.setHeader('cache-control', 'max-age=31536000, immutable');
      next();
    });
  },
};

/** Builds the app as its users get it, and serves it, with a browser, until all tests are over. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = join(import.meta.dirname, '../..');
  const outDir = await mkdtemp(join(tmpdir(), 'utensil-web-demo-'));
  const shared = {
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error' as const,
    build: { outDir, emptyOutDir: true, sourcemap: false },
  };
  await asReleased(() => build(shared));
  const server = await preview({
    ...shared,
    plugins: [keptAssets],
    preview: { host: '127.0.0.1', port: 0, open: false },
  });
  project.provide('appUrl', server.resolvedUrls?.local[0] ?? '');
  const browser = await chromium.launchServer(chromiumOptions([`--host-resolver-rules=${names}`]));
  project.provide('browserUrl', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  };
}

/** Runs a build without the mark of tests, with which React would be the larger one for developers. */
async function asReleased(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

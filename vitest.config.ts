import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumOptions } from './tooling/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `pnpm test:long`: where a test tries a sample of something, it is to try all of it. */
    readonly isLong: boolean;
  }
}

const source = '@utensil/source';
const isLong = process.env['LONG'] !== undefined;

/** A test is only to end: what takes seconds on an idle machine takes minutes on a loaded one. */
const timeout = isLong ? 3_600_000 : 120_000;

/** What gives property tests their seed. In browsers they have a random one. */
const setupFiles = ['tooling/seed.ts'];

/** Tests that run scripts in the sandbox. */
const sandboxed = ['packages/sandbox-quickjs/src/**/*.test.ts', 'packages/tool-javascript/src/**/*.test.ts'];

export default defineConfig({
  // Tests run on the sources of the workspace, never on dist.
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions], externalConditions: [source] } },
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: '.results/vitest.json' },
    silent: 'passed-only',
    provide: { isLong },
    maxWorkers: 1 + availableParallelism(), // tests of pages, programs and sandboxes wait half of their time
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', ...sandboxed],
          pool: 'threads',
          isolate: false, // five times as fast; so no test may replace a module or leave a global changed
          setupFiles,
        },
      },
      {
        extends: true,
        // A process for each file: one that compiles and frees WebAssembly thousands of times is ended by a fault of V8
        // in rare cases (https://github.com/nodejs/node/issues/64500).
        test: { name: 'sandbox', include: sandboxed, exclude: ['**/*.browser.test.ts'], pool: 'forks', setupFiles },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['{packages,apps}/*/src/**/*.browser.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'apps',
          include: ['apps/*/src/**/*.test.ts'],
          exclude: ['apps/web-demo/src/pages/**', '**/*.browser.test.ts'],
          isolate: false, // what the apps import is loaded once, and no test replaces a module
          setupFiles,
          globalSetup: 'apps/node-demo/src/test-kit/bundle-demo.ts', // bundles the program
        },
      },
      {
        extends: true,
        test: {
          name: 'web-demo',
          include: ['apps/web-demo/src/pages/**/*.test.ts'],
          isolate: false, // what drives the browser is loaded once, and no test replaces a module
          globalSetup: 'apps/web-demo/src/test-kit/serve.ts', // builds the app
        },
      },
      {
        extends: true,
        test: {
          name: 'tooling',
          include: ['tooling/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/.doctest/**'],
          setupFiles,
        },
      },
      {
        extends: true,
        test: { name: 'doc', include: ['tooling/doctest/.doctest/*.test.ts'], pool: 'threads', isolate: false },
      },
    ],
  },
});

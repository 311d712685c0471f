import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumOptions } from './tooling/chromium.ts';
import { bundled } from './tooling/elements/bundled.ts';
import { OrderOfProjects } from './tooling/results/order.ts';
import { strayErrorsReporter } from './tooling/results/stray-errors.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `pnpm test:long`: tests that try a sample must then try every case. */
    readonly isLong: boolean;
    /** Seed of the property tests. */
    readonly seed: number;
  }
}

const source = '@utensil/source';
const isLong = process.env['LONG'] !== undefined;

/** Only a bound: work of seconds on an idle machine takes minutes on a loaded one. */
const timeout = isLong ? 3_600_000 : 300_000;

/** Property tests try the same inputs in each run, `pnpm test:long` new ones; SEED=… tries those of a run that failed. */
const seed = Number((process.env['SEED'] ??= isLong ? newSeed() : '1')); // kept there, as this file is loaded twice

/** Imports of fast-check, in Node.js and in browsers, resolve to `seeded`, which sets the seed. */
const seeded = fileURLToPath(new URL('tooling/fast-check.ts', import.meta.url));
const seededFastCheck: Plugin = {
  name: 'utensil:seeded-fast-check',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'fast-check' && importer !== seeded ? seeded : undefined),
};

/** Tests that run scripts in the sandbox. */
const sandboxed = ['packages/sandbox-quickjs/src/**/*.test.ts', 'packages/tool-javascript/src/**/*.test.ts'];

/** Tests that wait for disks, locks, servers and other programs more than they compute. */
const waiting = ['packages/{storage-*,local-shell,guarded-fetch}/src/**/*.test.ts'];

export default defineConfig({
  plugins: [seededFastCheck],
  // Tests run on the sources of the workspace, never on dist.
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions], externalConditions: [source] } },
  test: {
    reporters: [['default', { summary: false }], 'json', strayErrorsReporter(import.meta.dirname)],
    outputFile: { json: '.results/vitest.json' },
    silent: 'passed-only',
    provide: { isLong, seed },
    maxWorkers: availableParallelism(), // two groups of projects run at a time, see tooling/checks/checks.ts
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 100_000 } },
    sequence: { sequencer: OrderOfProjects },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', ...sandboxed, ...waiting],
          pool: 'threads',
          isolate: false, // five times as fast; so no test may replace a module or leave a global changed
        },
      },
      {
        extends: true,
        test: { name: 'waiting', include: waiting, exclude: ['**/*.browser.test.ts'], pool: 'threads', isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'sandbox',
          include: sandboxed,
          exclude: ['**/*.browser.test.ts'],
          pool: 'forks', // the sandbox sets a flag of V8 for its whole process
          isolate: false, // what the sandbox is made of is loaded once, and no test replaces a module
          globalSetup: 'tooling/fixtures/attacks/bundled-worker.ts', // bundles the worker
        },
      },
      {
        extends: true,
        optimizeDeps: { include: ['fast-check'] }, // found late, it would reload pages
        server: { headers: { 'Cache-Control': 'max-age=31536000, immutable' } }, // pages and workers ask for a file once
        test: {
          name: 'browser',
          include: ['{packages,apps}/*/src/**/*.browser.test.ts'],
          isolate: false, // one page per worker, not per file
          setupFiles: 'tooling/elements/shared-page.ts',
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { bundled },
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
        },
      },
      {
        extends: true,
        test: {
          name: 'doc',
          include: ['tooling/doctest/.doctest/*.test.ts'],
          setupFiles: 'tooling/fixtures/workspace/empty-folder.ts', // a thread has no directory of its own, a process has
          pool: 'forks',
          isolate: false,
        },
      },
    ],
  },
});

function newSeed(): string {
  const made = String(randomInt(2 ** 31));
  process.stdout.write(`Property tests have the seed ${made}.\n`);
  return made;
}

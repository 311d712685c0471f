import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../../chromium.ts';
import type { PageScope } from './page.ts';

/** Longest task of a page's main thread while a script ran in its sandbox. */
export interface Blocking {
  readonly script: string;
  readonly status: string;
  /** CPU time of the thread only, without preemption by others. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Scripts that might block a page. */
const hostileScripts: Readonly<Record<string, string>> = {
  nothing: 'return 1',
  'fib(27)': 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return fib(27)',
  'an endless loop': 'for (;;);',
  'a call that QuickJS does not end': `new Array(1e9).join('')`,
  'all the memory': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
  'a flood of console lines': `for (;;) console.log('x'.repeat(1000));`,
  'a storm of host calls': 'for (;;) await host.add(1);',
  'a storm of parallel host calls': 'for (;;) await Promise.all(Array.from({ length: 500 }, () => host.add(1)));',
  'a large result': `return 'x'.repeat(20_000_000);`,
  'many files': `for (let i = 0; i < 300; i++) await fs.writeFile('/' + i, 'x'.repeat(10_000)); return 1`,
};

/** Measures in a browser page, by the browser's own trace. */
export async function measureBlocking(): Promise<readonly Blocking[]> {
  await using server = await serve();
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => 'runScript' in globalThis);
    const run = (code: string): Promise<string> =>
      page.evaluate((given) => (globalThis as unknown as PageScope).runScript(given), code);
    await run('return 1');
    const results: Blocking[] = [];
    for (const [script, code] of Object.entries(hostileScripts)) {
      await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
      const status = await run(code);
      const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as Trace;
      results.push({ script, status, ...longestTask(trace) });
    }
    return results;
  } finally {
    await browser.close();
  }
}

/** The relevant part of Chromium's trace. Times are in microseconds. */
export interface Trace {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    readonly dur?: number;
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  }[];
}

/** Longest task of a page's main thread. Throws if the trace has none. */
export function longestTask({ traceEvents }: Trace): Pick<Blocking, 'cpuMs' | 'wallMs'> {
  const isMain = (pid: number, tid: number): boolean =>
    traceEvents.some(
      (each) =>
        each.name === 'thread_name' && each.args?.name === 'CrRendererMain' && each.pid === pid && each.tid === tid,
    );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && isMain(pid, tid));
  if (tasks.length === 0) throw new Error('The trace has no task of the main thread.');
  const longest = (of: (task: (typeof tasks)[number]) => number | undefined): number =>
    tasks.reduce((most, task) => Math.max(most, of(task) ?? 0), 0) / 1000;
  return { cpuMs: longest(({ tdur }) => tdur), wallMs: longest(({ dur }) => dur) };
}

async function serve() {
  const sandbox = createRequire(createRequire(import.meta.url).resolve('@utensil/sandbox-quickjs/package.json'));
  const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  const bodies: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    '/': ['text/html', '<!doctype html><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', await bundle(join(import.meta.dirname, 'page.ts'))],
    '/worker.js': ['text/javascript', await bundle('@utensil/sandbox-quickjs/worker')],
    '/quickjs.wasm': ['application/wasm', await readFile(sandbox.resolve('quickjs-wasi/quickjs.wasm'))],
  };
  return loopback(({ path }) => {
    const [type, body] = bodies[path] ?? ['text/plain', ''];
    return { status: path in bodies ? 200 : 404, headers: { ...isolation, 'content-type': type }, body: [body] };
  });
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: import.meta.dirname,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

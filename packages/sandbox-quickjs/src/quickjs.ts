import { assembleSandbox, readGiven } from './host/assemble.ts';
import { createHearing } from './host/thread.ts';
import type { Thread } from './host/thread.ts';
import type { SandboxOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';
import { createMailbox } from './worker/mailbox.ts';
import type { FromWorker } from './worker/protocol.ts';

/** Options of {@link quickjsSandbox} in a browser. */
export interface BrowserSandboxOptions extends SandboxOptions {
  /** The engine's WebAssembly, or its URL. */
  readonly wasm: WebAssembly.Module | Uint8Array<ArrayBuffer> | URL;
  /** Starts the worker, for single-file bundles. Default: the file shipped with this package. */
  readonly worker?: () => Worker;
}

/**
 * Creates a sandbox in a browser: each script runs in its own QuickJS instance, in WebAssembly, in a worker that is
 * terminated if the script does not end.
 *
 * @example
 * ```ts no-run
 * import { quickjsSandbox } from '@utensil/sandbox-quickjs';
 *
 * const sandbox = quickjsSandbox({ wasm: new URL('/quickjs.wasm', location.href) });
 * const { text } = await sandbox.run({ code: 'return [1, 2, 3].map((n) => n * 2).join()' });
 * console.log(text); // 2,4,6
 * ```
 */
export function quickjsSandbox(options: BrowserSandboxOptions): Sandbox {
  const { wasm, worker = ownWorker } = options;
  return assembleSandbox(
    {
      spawn: () => workerThread(worker()),
      wasm: async () => (await readGiven(wasm, fetched)) ?? missing(),
      cores: navigator.hardwareConcurrency,
      stackBytes: 32 * 1024,
    },
    options,
  );
}

/** In the form that bundlers recognize. */
function ownWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'utensil-sandbox' });
}

async function fetched(url: URL): Promise<BufferSource> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the WebAssembly at ${url.pathname} cannot be loaded: status ${response.status}`);
  return response.arrayBuffer();
}

function missing(): never {
  throw new Error('there is no WebAssembly: set `wasm` to the URL of quickjs-wasi/quickjs.wasm');
}

function workerThread(worker: Worker): Thread {
  const mailbox = createMailbox();
  const hearing = createHearing();
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => hearing.message(data));
  worker.addEventListener('error', (event) => {
    event.preventDefault(); // the run reports it
    hearing.died(
      "its worker cannot be loaded, or ended: its file has to be served as JavaScript, and a Content-Security-Policy needs worker-src for it and script-src 'wasm-unsafe-eval'",
    );
  });
  return {
    ...(mailbox && { mailbox }),
    post: (message) => worker.postMessage(message),
    listen: hearing.listen,
    hold: () => undefined,
    terminate() {
      hearing.end();
      worker.terminate();
    },
  };
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { EngineName } from './engine/engine.ts';
import { assembleSandbox, readGiven } from './host/assemble.ts';
import type { Thread, ThreadListener } from './host/thread.ts';
import type { SandboxOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';
import { createMailbox } from './worker/mailbox.ts';
import type { FromWorker } from './worker/protocol.ts';

export type { EngineName } from './engine/engine.ts';
export type { SandboxOptions } from './options.ts';
export type { HostFunction, Sandbox, SandboxLimits, Script, ScriptResult, ScriptStatus } from './sandbox.ts';

/** What a sandbox in Node.js may be told. */
export interface NodeSandboxOptions extends SandboxOptions {
  /** The worker's program, for hosts that have put everything into one file. */
  readonly worker?: URL;
}

const require = createRequire(import.meta.url);
const files: Readonly<Record<EngineName, string>> = {
  'quickjs-wasi': 'quickjs-wasi/quickjs.wasm',
  'quickjs-emscripten': '@jitl/quickjs-wasmfile-release-sync/wasm',
};

/**
 * A sandbox in Node.js: each script runs in a QuickJS of its own, in WebAssembly, in a worker thread that is ended where
 * the script does not end.
 *
 * @example
 * ```ts
 * import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
 *
 * const sandbox = quickjsSandbox();
 * const { text } = await sandbox.run({ code: 'return [1, 2, 3].map((n) => n * 2).join()' });
 * console.log(text); // 2,4,6
 * sandbox.close();
 * ```
 */
export function quickjsSandbox(options: NodeSandboxOptions = {}): Sandbox {
  const { engine = 'quickjs-wasi', wasm, worker = ownWorker() } = options;
  return assembleSandbox(
    {
      spawn: () => workerThread(worker),
      wasm: async () => (await readGiven(wasm, readFile)) ?? readFile(require.resolve(files[engine])),
      cores: availableParallelism(),
      stackBytes: 256 * 1024,
    },
    options,
  );
}

/** Beside this file, as source or as built. */
function ownWorker(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './node/worker.ts' : './node/worker.js', import.meta.url);
}

/** A thread with no part of the process's environment, arguments or input. */
function workerThread(program: URL): Thread {
  const worker = new Worker(program, {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    // What an engine prints when it fails is for nobody. It is not even read, because that keeps the process alive.
    stdout: true,
    stderr: true,
    // Room for the longest messages: where a worker fills its memory, the process can die with it.
    resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: 512 },
  });
  const mailbox = createMailbox();
  let listener: ThreadListener | undefined;
  const died = (): void => listener?.died('The worker ended.');
  worker.on('message', (message: FromWorker) => listener?.message(message));
  worker.on('error', died);
  worker.on('exit', died);
  return {
    ...(mailbox && { mailbox }),
    post: (message) => worker.postMessage(message),
    listen: (next) => (listener = next),
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    terminate() {
      listener = undefined;
      void worker.terminate();
    },
  };
}

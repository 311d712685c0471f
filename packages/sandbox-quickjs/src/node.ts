import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { EngineName } from './engine/engine.ts';
import { assembleSandbox, readGiven } from './host/assemble.ts';
import { createHearing } from './host/thread.ts';
import type { Thread } from './host/thread.ts';
import { keepGenericWrappers } from './node/generic-wrappers.ts';
import type { SandboxOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';
import { createMailbox } from './worker/mailbox.ts';
import type { FromWorker } from './worker/protocol.ts';

export type { EngineName } from './engine/engine.ts';
export type { SandboxOptions } from './options.ts';
export type { HostFunction, Sandbox, SandboxLimits, Script, ScriptResult, ScriptStatus } from './sandbox.ts';

/** Options of {@link quickjsSandbox} in Node.js. */
export interface NodeSandboxOptions extends SandboxOptions {
  /** URL of the worker's program, for single-file bundles. */
  readonly worker?: URL;
}

const files: Readonly<Record<EngineName, string>> = {
  'quickjs-wasi': 'quickjs-wasi/quickjs.wasm',
  'quickjs-emscripten': '@jitl/quickjs-wasmfile-release-sync/wasm',
};

/**
 * Creates a sandbox in Node.js: each script runs in its own QuickJS instance, in WebAssembly, in a worker thread that
 * is terminated if the script does not end.
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
  if (options.inline === true) keepGenericWrappers(); // workers do it themselves
  return assembleSandbox(
    {
      spawn: () => workerThread(worker),
      wasm: async () =>
        (await readGiven(wasm, readFile)) ?? readFile(createRequire(import.meta.url).resolve(files[engine])),
      cores: availableParallelism(),
      stackBytes: 256 * 1024,
    },
    options,
  );
}

/** Next to this file, in source or built form. */
function ownWorker(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './node/worker.ts' : './node/worker.js', import.meta.url);
}

/** A thread without the process's environment, arguments or input. */
function workerThread(program: URL): Thread {
  const worker = new Worker(program, {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    // Engine output on failure is discarded unread, because reading it keeps the process alive.
    stdout: true,
    stderr: true,
    resourceLimits: {
      stackSizeMb: 8,
      maxOldGenerationSizeMb: 512, // for the longest messages: a worker that runs out of memory can crash the process
      maxYoungGenerationSizeMb: 16, // V8's own limit lets it grow to 130 MB, of which six are used, and keeps that
    },
  });
  const mailbox = createMailbox();
  const hearing = createHearing();
  worker.on('message', (message: FromWorker) => hearing.message(message));
  worker.on('error', (error) => hearing.died(deathOf(error)));
  worker.on('exit', () => hearing.died(deathOf(undefined)));
  return {
    ...(mailbox && { mailbox }),
    post: (message) => worker.postMessage(message),
    listen: hearing.listen,
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    terminate() {
      hearing.end();
      void worker.terminate();
    },
  };
}

/** Reason for the end of a worker. Only the code of its error, because the message names paths of the host. */
function deathOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  const known = [code, name].find((each): each is string => typeof each === 'string');
  const cause = known === undefined ? '' : ` (${known})`;
  return `its worker cannot be loaded, or ended${cause}: in a bundle, set \`worker\` to the URL of the worker's file`;
}

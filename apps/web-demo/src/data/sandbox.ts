import { quickjsSandbox } from '@utensil/sandbox-quickjs';
import type { Sandbox } from '@utensil/sandbox-quickjs';
import workerUrl from '@utensil/sandbox-quickjs/worker?worker&url';
import wasmUrl from 'quickjs-wasi/quickjs.wasm?url';
import { ownScript } from '../own-script.ts';

/** Runs the JavaScript of models, in WebAssembly in a worker. */
export function openSandbox(): Sandbox {
  return quickjsSandbox({
    wasm: new URL(wasmUrl, location.href),
    worker: () => new Worker(ownScript(workerUrl), { type: 'module', name: 'utensil-sandbox' }),
  });
}

import { serve } from './worker/serve.ts';
import type { FromWorker, ToWorker } from './worker/protocol.ts';

/** Globals of a web worker, whose types conflict with those of the DOM. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ToWorker }) => void): void;
}

/** True in a web worker, where importing this module makes it run scripts for its host. */
export const isServing: boolean = 'WorkerGlobalScope' in globalThis;

if (isServing) {
  const scope = globalThis as unknown as WorkerScope;
  const handle = serve((message) => scope.postMessage(message));
  scope.addEventListener('message', ({ data }) => void handle(data));
}

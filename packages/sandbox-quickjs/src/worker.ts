import { serve } from './worker/serve.ts';
import type { FromWorker, ToWorker } from './worker/protocol.ts';

/** What a worker of the web has, whose types the DOM's exclude. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ToWorker }) => void): void;
}

/** Whether this is a worker of the web, where importing this module makes it run scripts for its host. */
export const isServing: boolean = 'WorkerGlobalScope' in globalThis;

if (isServing) {
  const scope = globalThis as unknown as WorkerScope;
  const handle = serve((message) => scope.postMessage(message));
  scope.addEventListener('message', ({ data }) => void handle(data));
}

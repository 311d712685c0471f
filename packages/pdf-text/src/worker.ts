import type { FromWorker, ToWorker } from './protocol.ts';
import { serve } from './worker/serve.ts';
import { watchMemory } from './worker/watchdog.ts';
import type { WatchedProcess } from './worker/watchdog.ts';

interface ChildProcess extends WatchedProcess {
  readonly argv: readonly string[];
  send(message: FromWorker): void;
  once(type: 'message', listener: (message: ToWorker) => void): void;
  on(type: 'unhandledRejection', listener: () => void): void;
}

interface WebScope {
  postMessage(message: FromWorker): void;
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: ToWorker }) => void,
    options: { readonly once: true },
  ): void;
}

/** In bytes: what the process takes beside what a document unpacks to, its heap included. */
const ownMemory = 448 * 2 ** 20;

const { process } = globalThis as { readonly process?: ChildProcess };
const isChild = process?.argv?.includes('utensil-pdf-text') === true;

/** Whether this is a worker, where importing this module makes it read one PDF for its host. */
export const isServing: boolean = isChild || 'WorkerGlobalScope' in globalThis;

if (isChild) {
  process.on('unhandledRejection', () => undefined); // of the parser's, which goes on all the same, as it does in browsers
  process.once('message', (message) => {
    watchMemory(process, message.limits.unpackedBytes + ownMemory);
    void serve(message, (answer) => process.send(answer));
  });
  process.send({ type: 'ready' });
} else if (isServing) {
  const scope = globalThis as unknown as WebScope;
  const post = (answer: FromWorker): void => scope.postMessage(answer);
  scope.addEventListener('message', ({ data }) => void serve(data, post), { once: true });
  post({ type: 'ready' });
}

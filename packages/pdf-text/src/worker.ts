import type { FromWorker, ToWorker } from './protocol.ts';
import { serve } from './worker/serve.ts';
import { watchProcess } from './worker/watchdog.ts';
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

/** In bytes: memory of the process beyond what a document unpacks to, its heap included. */
const ownMemory = 448 * 2 ** 20;

const { process } = globalThis as { readonly process?: ChildProcess };
const isChild = process?.argv?.includes('utensil-pdf-text') === true;

/** True in a worker, in which importing this module reads one PDF for the host. */
export const isServing: boolean = isChild || 'WorkerGlobalScope' in globalThis;

if (isChild) {
  const parent = process.ppid; // before anything is asked: a host that has ended meanwhile is noticed
  process.on('unhandledRejection', () => undefined); // from the parser, which continues after them, as in browsers
  process.once('message', (message) => {
    watchProcess(process, { bytes: message.limits.unpackedBytes + ownMemory, parent });
    void serve(message, (answer) => process.send(answer));
  });
  process.send({ type: 'ready' });
} else if (isServing) {
  const scope = globalThis as unknown as WebScope;
  const post = (answer: FromWorker): void => scope.postMessage(answer);
  scope.addEventListener('message', ({ data }) => void serve(data, post), { once: true });
  post({ type: 'ready' });
}

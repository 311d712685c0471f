import type { FromWorker, ToWorker } from './protocol.ts';
import type { Thread, ThreadListener } from './thread.ts';

/** The part of a Web Worker that is used. */
declare class Worker {
  constructor(program: URL, options: { readonly type: 'module'; readonly name: string });
  addEventListener(type: 'message', listener: (event: { readonly data: FromWorker }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Starts a Web Worker, in the form that bundlers look for. */
export function startWebWorker(listener: ThreadListener): Thread {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'utensil-pdf-text' });
  worker.addEventListener('message', ({ data }) => listener.message(data));
  worker.addEventListener('error', () => listener.ended());
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

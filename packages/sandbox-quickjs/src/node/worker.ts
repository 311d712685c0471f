import { parentPort } from 'node:worker_threads';
import { serve } from '../worker/serve.ts';
import type { ToWorker } from '../worker/protocol.ts';
import { keepGenericWrappers } from './generic-wrappers.ts';

/** True in a worker thread, where importing this module makes it run scripts for its host. */
export const isServing: boolean = parentPort !== null;

if (isServing) keepGenericWrappers();
const handle = serve((message) => parentPort?.postMessage(message));
parentPort?.on('message', (message: ToWorker) => void handle(message));

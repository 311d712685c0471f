import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../worker/protocol.ts';
import { serve } from '../worker/serve.ts';

const handle = serve((message) => parentPort?.postMessage(message));
parentPort?.on('message', (message: ToWorker) => void handle(message));

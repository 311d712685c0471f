// A process or thread that competes for a thread of a conversation. Started by races.test.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { createRecords, openThread } from '@utensil/core';
import { createRival } from '@utensil/tooling-rivals/rival';
import type { Order, Report } from '@utensil/tooling-rivals/rival';
import { filesystemStorage } from '../filesystem.ts';
import { processHolder } from '../process-holder.ts';

const root = parentPort === null ? process.argv[2] : (workerData as string);
const tell = (report: Report): void => void (parentPort ? parentPort.postMessage(report) : process.send?.(report));
const thread = openThread(createRecords(filesystemStorage(root ?? '')), 'race', { holder: processHolder() });
const order = createRival(thread, tell);
if (parentPort === null) {
  process.on('message', (given) => order(given as Order));
  process.on('disconnect', () => process.exit()); // the test has ended
} else parentPort.on('message', (given) => order(given as Order));
tell({ event: 'ready' });

import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, inject, it } from 'vitest';
import { quickjsSandbox } from '../node.ts';

/** In bytes. By V8's own limit, the heap has 85 million after this script. */
const most = 45_000_000;

it.each(['quickjs-wasi', 'quickjs-emscripten'] as const)(
  'keeps a small heap in a worker of %s that had large answers',
  async (engine) => {
    const started = once(process, 'worker') as Promise<[Worker]>;
    const sandbox = quickjsSandbox({ engine, worker: new URL(inject('sandboxWorker')), maxWorkers: 1 });
    const records = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `Record ${id}`, tags: ['a', 'b'] }));
    let bytes = NaN;
    const hostFunctions = {
      give: () => records,
      look: async () => {
        const [worker] = await started;
        bytes = (await worker.getHeapStatistics()).total_heap_size;
      },
    };
    const code = 'for (let n = 0; n < 12; n++) await give(); await look()';
    const limits = { workMs: 60_000, wallMs: 120_000 };
    const { status } = await sandbox.run({ code, hostFunctions, limits });
    sandbox.close();
    expect([status, bytes < most, bytes]).toEqual(['done', true, bytes]);
  },
);

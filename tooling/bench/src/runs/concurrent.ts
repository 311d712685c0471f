import { createRecords, openThread, run } from '@utensil/core';
import type { Run, Thread } from '@utensil/core';
import { indices, question } from '../run-loop/work.ts';
import { assertDone } from './measurement.ts';
import type { Measure, Open } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';

const calls = 10;

/**
 * Heap usage of many concurrent runs of ten calls each, measured while each is inside its last call, after a full
 * garbage collection. Includes the storage's share.
 */
export function concurrent(open?: Open): Measure {
  return async ({ runs, directory }) => {
    await together(10, open?.(directory));
    const { wallMs, heapBytes } = await together(runs, open?.(directory));
    return {
      'wall ms': wallMs,
      'ms a call': wallMs / runs / calls,
      'KB of heap a run': heapBytes / 1024 / runs,
      'calls lost': 0, // throws otherwise
    };
  };
}

async function together(count: number, storage: ReturnType<Open> | undefined) {
  const before = heapSize();
  const records = storage && createRecords(storage);
  let executed = 0;
  let arrived = 0;
  let heapBytes = NaN;
  let pausedMs = 0;
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const toolset = toolsetOf(async ({ city }) => {
    executed++;
    if (city !== `City ${calls - 1}`) return 'fine';
    if (++arrived === count) {
      const paused = performance.now();
      heapBytes = heapSize() - before;
      pausedMs = performance.now() - paused;
      open?.();
    }
    await gate;
    return 'fine';
  });
  const started = performance.now();
  const all = indices(count).map((index) => begin(index));
  const results = await Promise.all(all.map(({ result }) => result));
  const wallMs = performance.now() - started - pausedMs;
  assertDone('calls', executed, count * calls);
  assertDone('runs complete', results.filter(({ status }) => status === 'complete').length, count);
  const answered = results.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool')).length;
  assertDone('results', answered, count * calls);
  await storage?.close?.();
  return { wallMs, heapBytes };

  function begin(index: number): Run {
    const thread: Thread | undefined = records && openThread(records, `run-${index}`);
    const model = playingModel({ calls });
    return run({ model, toolset, messages: question, limits: { steps: calls + 1 }, ...(thread && { thread }) });
  }
}

function heapSize(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

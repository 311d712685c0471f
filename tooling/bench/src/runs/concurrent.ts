import { indices } from '../run-loop/work.ts';
import type { Input } from '../run-loop/work.ts';
import type { Loop } from './loop.ts';
import { assertDone } from './measurement.ts';
import type { Measure } from './measurement.ts';

const calls = 10;

/**
 * Heap usage of many concurrent runs of ten calls each, measured while each is inside its last call, after a full
 * garbage collection. Includes the storage's share.
 */
export function concurrent(loop: Loop): Measure {
  return async ({ runs }) => {
    await together(10, loop);
    const { wallMs, heapBytes } = await together(runs, loop);
    return {
      'wall ms': wallMs,
      'ms a call': wallMs / runs / calls,
      'KB of heap a run': heapBytes / 1024 / runs,
      'calls lost': 0, // throws otherwise
    };
  };
}

async function together(count: number, loop: Loop) {
  const before = heapSize();
  let executed = 0;
  let arrived = 0;
  let heapBytes = NaN;
  let pausedMs = 0;
  let openGate: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (openGate = resolve));

  async function onStart({ city }: Input): Promise<void> {
    executed++;
    if (city !== `City ${calls - 1}`) return;
    if (++arrived === count) {
      const paused = performance.now();
      heapBytes = heapSize() - before;
      pausedMs = performance.now() - paused;
      openGate?.();
    }
    await gate;
  }

  const play = loop(onStart);
  const started = performance.now();
  await Promise.all(indices(count).map(() => play({ calls })));
  const wallMs = performance.now() - started - pausedMs;
  assertDone('calls', executed, count * calls);
  return { wallMs, heapBytes };
}

function heapSize(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

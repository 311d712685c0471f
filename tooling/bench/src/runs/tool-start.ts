import type { Effect } from '@utensil/core';
import { utensilLoop } from './loop.ts';
import type { Loop } from './loop.ts';
import { assertDone, quantile } from './measurement.ts';
import type { Figures, Measure, Open } from './measurement.ts';

/** Time that a turn continues after its call, in milliseconds. */
const tailMs = 20;

/**
 * Delay from the last byte of a call's arguments to the start of its tool: in a turn that ends at once, and in one that
 * continues.
 */
export function toolStart(loop: Loop): Measure {
  async function timesOf(calls: number, tail: number): Promise<readonly number[]> {
    const times: number[] = [];
    let came = NaN;
    const onInput = (): void => void (came = performance.now());
    const onStart = (): void => void times.push(performance.now() - came);
    await loop(onStart)({ calls, tailMs: tail, onInput });
    assertDone('calls', times.length, calls);
    return times;
  }

  return async ({ calls }): Promise<Figures> => {
    await timesOf(calls, 0); // warm-up
    const times = await timesOf(calls, 0);
    const inLongTurns = await timesOf(Math.min(calls, 50), tailMs);
    return {
      'p10 ms': quantile(times, 0.1),
      'p50 ms': quantile(times, 0.5),
      'p99 ms': quantile(times, 0.99),
      [`p50 ms, turn goes on for ${tailMs} ms`]: quantile(inLongTurns, 0.5),
    };
  };
}

/** Our loop, with a thread in a storage or with none. */
export function utensilStart(effects: Effect, open?: Open): Measure {
  return async (setup) => {
    const storage = open?.(setup.directory);
    const figures = await toolStart(utensilLoop(effects, storage))(setup);
    await storage?.close?.();
    return figures;
  };
}

import { createRecords, openThread, run } from '@utensil/core';
import type { Effect } from '@utensil/core';
import { question } from '../run-loop/work.ts';
import type { Input } from '../run-loop/work.ts';
import { assertDone, quantile } from './measurement.ts';
import type { Figures, Measure, Open, Setup } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';

/** Runs a loop, and reports when the last byte of a call's arguments arrived and when its tool began. */
export interface Started {
  readonly calls: number;
  readonly tailMs: number;
  onInput(): void;
  onStart(input: Input): void;
}

/** Time that a turn continues after its call, in milliseconds. */
const tailMs = 20;

/**
 * Delay from the last byte of a call's arguments to the start of its tool: in a turn that ends at once, and in one that
 * continues.
 */
export function toolStart(loop: (started: Started, setup: Setup) => Promise<void>): Measure {
  async function timesOf(setup: Setup, tail: number): Promise<readonly number[]> {
    const times: number[] = [];
    let came = NaN;
    const onInput = (): void => void (came = performance.now());
    const onStart = (): void => void times.push(performance.now() - came);
    await loop({ calls: setup.calls, tailMs: tail, onInput, onStart }, setup);
    assertDone('calls', times.length, setup.calls);
    return times;
  }

  return async (setup): Promise<Figures> => {
    await timesOf(setup, 0); // warm-up
    const times = await timesOf(setup, 0);
    const inLongTurns = await timesOf({ ...setup, calls: Math.min(setup.calls, 50) }, tailMs);
    return {
      'p10 ms': quantile(times, 0.1),
      'p50 ms': quantile(times, 0.5),
      'p99 ms': quantile(times, 0.99),
      [`p50 ms, turn goes on for ${tailMs} ms`]: quantile(inLongTurns, 0.5),
    };
  };
}

let opened = 0;

/** Our loop, with a thread in a storage or with none. */
export function utensilStart(effects: Effect, open?: Open): Measure {
  return toolStart(async ({ calls, tailMs: tail, onInput, onStart }, { directory }) => {
    const storage = open?.(directory);
    const { result } = run({
      model: playingModel({ calls, onInput, tailMs: tail }),
      toolset: toolsetOf((input) => {
        onStart(input);
        return 'fine';
      }, effects),
      messages: question,
      limits: { steps: calls + 1 },
      ...(storage && { thread: openThread(createRecords(storage), `thread-${++opened}`) }),
    });
    const { status, error } = await result;
    if (status !== 'complete') throw new Error(error?.message ?? status);
    await storage?.close?.();
  });
}

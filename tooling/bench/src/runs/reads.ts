import { createRecords, memoryThread, openThread, run } from '@utensil/core';
import type { Thread } from '@utensil/core';
import { question } from '../run-loop/work.ts';
import type { countedDirectory } from './journal.ts';
import { assertDone } from './measurement.ts';
import type { Figures, Measure, Open } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';

/** Storage of a run's thread. */
export interface ReadsKept {
  /** Absent: no thread, or one in memory without records. */
  readonly open?: Open;
  readonly inMemory?: boolean;
  /** The same storage with a sync counter. */
  readonly counted?: (directory: string, onSync: () => void) => ReturnType<typeof countedDirectory>;
}

/** Cost of a step whose tool only reads, and the entries stored for it. */
export function reads({ open, inMemory = false, counted }: ReadsKept): Measure {
  const warmUps = open === undefined ? 60 : 3; // without a storage, compiling takes longer than the steps until then
  return async ({ calls, directory }) => {
    for (let round = 0; round < warmUps; round++) await play(`warm-${round}`, open?.(`${directory}/warm-${round}`));
    const figures = await play('measured', open?.(`${directory}/measured`));
    let syncs = 0;
    if (counted !== undefined)
      await play(
        'counted',
        counted(`${directory}/counted`, () => void syncs++),
      );
    return { ...figures, 'syncs a step': syncs / calls };

    async function play(id: string, storage?: ReturnType<Open>): Promise<Figures> {
      const kept = inMemory ? memoryThread(id) : storage && openThread(createRecords(storage), id);
      const commits: number[] = [];
      const thread = kept && counting(kept, commits);
      let executed = 0;
      const toolset = toolsetOf(() => ++executed);
      const before = process.cpuUsage();
      const started = performance.now();
      const limits = { steps: calls + 1 };
      const model = playingModel({ calls });
      const { status } = await run({ model, toolset, messages: question, limits, ...(thread && { thread }) }).result;
      const { user, system } = process.cpuUsage(before);
      assertDone('calls', status === 'complete' ? executed : 0, calls);
      await storage?.close?.();
      return {
        'wall ms a step': (performance.now() - started) / calls,
        'CPU ms a step': (user + system) / 1000 / calls,
        'commits a step': commits.length / calls,
        'entries a step': commits.reduce((sum, count) => sum + count, 0) / calls,
      };
    }
  };
}

/** A thread that records the number of entries of each commit. */
function counting(thread: Thread, commits: number[]): Thread {
  return {
    ...thread,
    append(entries, options) {
      commits.push(entries.length);
      return thread.append(entries, options);
    },
  };
}

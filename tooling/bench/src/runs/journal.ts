import * as promises from 'node:fs/promises';
import { createRecords, openThread, run } from '@utensil/core';
import type { RunOptions, Thread } from '@utensil/core';
import { filesystemStorage } from '@utensil/storage-filesystem';
import type { FileSystem, FilesystemStorageOptions } from '@utensil/storage-filesystem';
import { question } from '../run-loop/work.ts';
import { assertDone, quantile } from './measurement.ts';
import type { Measure, Open } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';

/** Journal options of a run. */
export interface Keeping {
  readonly open: Open;
  /** The same storage with a sync counter; absent if it makes no syncs. */
  readonly counted?: (directory: string, onSync: () => void) => ReturnType<Open>;
  readonly options?: Partial<RunOptions>;
}

/** Time that a run waits for its journal, if every step has a call with an effect. */
export function journal({ open, counted, options = {} }: Keeping): Measure {
  return async ({ calls, directory }) => {
    await play('warm-up', open(`${directory}/warm`));
    const times = await play('measured', open(`${directory}/measured`));
    let syncs = 0;
    if (counted !== undefined)
      await play(
        'counted',
        counted(`${directory}/counted`, () => void syncs++),
      );
    return {
      'p10 ms an entry': quantile(times, 0.1),
      'p50 ms an entry': quantile(times, 0.5),
      'p99 ms an entry': quantile(times, 0.99),
      'entries a step': times.length / calls,
      'ms a step': times.reduce((sum, time) => sum + time, 0) / calls,
      'syncs a step': syncs / calls,
    };

    async function play(id: string, storage: ReturnType<Open>): Promise<readonly number[]> {
      const { thread, times: taken } = timed(openThread(createRecords(storage), id));
      let executed = 0;
      const toolset = toolsetOf(() => ++executed, 'write');
      const limits = { steps: calls + 1 };
      const { result } = run({
        model: playingModel({ calls }),
        toolset,
        messages: question,
        limits,
        thread,
        ...options,
      });
      const { status, error } = await result;
      if (status !== 'complete') throw new Error(error?.message ?? status);
      assertDone('calls', executed, calls);
      await storage.close?.();
      return taken;
    }
  };
}

/** A thread that measures its writes. */
function timed(thread: Thread): { readonly thread: Thread; readonly times: readonly number[] } {
  const times: number[] = [];
  const append: Thread['append'] = async (...given) => {
    const started = performance.now();
    const position = await thread.append(...given);
    times.push(performance.now() - started);
    return position;
  };
  return { times, thread: { ...thread, append } };
}

/** A directory with a sync counter. */
export function countedDirectory(directory: string, onSync: () => void, options: FilesystemStorageOptions = {}) {
  const open: FileSystem['open'] = async (...place) => {
    const file = await promises.open(...place);
    return {
      stat: (wanted) => file.stat(wanted),
      read: (buffer, wanted) => file.read(buffer, wanted),
      writeFile: (content) => file.writeFile(content),
      close: () => file.close(),
      sync() {
        onSync();
        return file.sync();
      },
    };
  };
  return filesystemStorage(directory, { ...options, fs: { ...promises, open } });
}

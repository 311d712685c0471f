import { createRecords, openThread, run } from '@utensil/core';
import type { Effect } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { question } from '../run-loop/work.ts';
import type { Input } from '../run-loop/work.ts';
import { assertDone } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';
import type { Playing } from './work.ts';

/** Called when the tool starts. The tool ends when this resolves. */
export type OnStart = (input: Input) => void | Promise<void>;

/** Makes a tool, and returns a function that plays one run with it, and throws if the run fails. */
export type Loop = (onStart: OnStart) => (playing: Playing) => Promise<void>;

let opened = 0;

/** Our loop, with a thread in a storage or with none. */
export function utensilLoop(effects: Effect, storage?: StorageDriver): Loop {
  const records = storage && createRecords(storage);
  return (onStart) => {
    const toolset = toolsetOf((input) => {
      const isOver = onStart(input);
      return isOver ? isOver.then(() => 'fine') : 'fine';
    }, effects);
    return async (playing) => {
      const { result } = run({
        model: playingModel(playing),
        toolset,
        messages: question,
        limits: { steps: playing.calls + 1 },
        ...(records && { thread: openThread(records, `thread-${++opened}`) }),
      });
      const { status, error, messages } = await result;
      if (status !== 'complete') throw new Error(error?.message ?? status);
      assertDone('results', messages.filter(({ role }) => role === 'tool').length, playing.calls);
    };
  };
}

import { problemOf } from '../loop/drive.ts';
import type { OpenReceipt } from '../../thread/detached-calls.ts';
import type { RunContext } from '../run-context.ts';
import type { Background } from './background.ts';

/** Background calls of a run, whose code is loaded with the first one. */
export function lazyBackground(run: RunContext): Background {
  const opening = new Set<string>(); // calls without a waiter yet
  let loading: Promise<Background> | undefined;
  let loaded: Background | undefined;

  function use(act: (background: Background) => void): void {
    loading ??= import('./background.ts').then(({ createBackground }) => (loaded = createBackground(run, failed)));
    loading.then(act, failed);
  }

  function failed(error: unknown): void {
    run.feed({ type: 'failed', problem: problemOf(error) });
  }

  return {
    settle(open: OpenReceipt) {
      const { callId } = open.receipt;
      opening.add(callId);
      use((background) => {
        background.settle(open);
        opening.delete(callId);
      });
    },
    cancel(callId, reason) {
      if (!opening.delete(callId)) return loaded?.cancel(callId, reason) ?? false;
      use((background) => void background.cancel(callId, reason));
      return true;
    },
    rest: () => use((background) => background.rest()),
  };
}

import type { OuterRun } from './begin-nested.ts';
import { loadNested } from '../later-code.ts';
import type { LaunchedRun } from '../launched-run.ts';
import { outermost } from '../../model/sub-call.ts';
import type { RunsInside } from '../run-context.ts';

/** Inner runs begun by tools of a run. */
export interface NestedRuns extends RunsInside {
  /** Waits until all have ended and their events are forwarded; undefined if there are none. */
  ended(): Promise<unknown> | undefined;
  dismiss(): void;
  stop(): void;
  /** Cancels a call of a run that the tool of `callId` began; `path` as in {@link LaunchedRun.cancel}. */
  cancel(callId: string, path: readonly string[], reason?: string): boolean;
}

export function createNestedRuns(outer: OuterRun): NestedRuns {
  const running = new Map<LaunchedRun, string>(); // with the call whose tool began it
  const untold = new Set<Promise<void>>();
  const counts = new Map<string, number>();
  return {
    async start(by, options) {
      const { beginNested } = await loadNested();
      const { child, launched, told: ended } = await beginNested(outer, { by, options, counts });
      if (launched !== undefined) running.set(launched, by.callId);
      if (outer.declined() === 'stopped') launched?.stop();
      if (outer.declined() === 'dismissed') launched?.dismiss();
      const told = ended.then(() => {
        if (launched !== undefined) running.delete(launched);
        untold.delete(told);
      });
      untold.add(told);
      return child;
    },
    ended: () => (untold.size === 0 ? undefined : Promise.all(untold)),
    waiting(callId) {
      let count = 0;
      for (const [each, within] of running) if (outermost(within) === callId && each.waits()) count++;
      return count;
    },
    async leave() {
      const left = [...running.keys()];
      running.clear();
      untold.clear();
      await Promise.all(left.map((each) => each.leave()));
    },
    dismiss() {
      for (const each of running.keys()) each.dismiss();
    },
    stop() {
      for (const each of running.keys()) each.stop();
    },
    cancel: (callId, path, reason) =>
      [...running].some(([each, within]) => within === callId && each.cancel(path, reason)),
  };
}

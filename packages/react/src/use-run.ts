import type { Run } from '@utensil/core';
import { foldRun, noRun } from '@utensil/elements/view';
import type { LiveRun } from '@utensil/elements/view';
import { useSource } from './use-source.ts';
import type { Source } from './use-source.ts';

const nobody: Source<LiveRun> = { subscribe: () => () => {}, snapshot: () => noRun };
const followed = new WeakMap<Run, Source<LiveRun>>();

/**
 * What a run is doing: its text as it comes, its calls, what it asks. Components that follow the same run share one
 * state, and render at most once per frame. Without a run, nothing is known: `status` is `idle`.
 */
export function useRun(run: Run | undefined): LiveRun {
  return useSource(run === undefined ? nobody : sourceOf(run));
}

function sourceOf(run: Run): Source<LiveRun> {
  const known = followed.get(run);
  if (known !== undefined) return known;
  const source = follow(run);
  followed.set(run, source);
  return source;
}

/** Reads the events of a run from the first component that wants them to the end of the run. */
function follow(run: Run): Source<LiveRun> {
  const listeners = new Set<() => void>();
  let live = noRun;
  let shown = noRun;
  let isBegun = false;
  let isDue = false;

  function show(): void {
    isDue = false;
    shown = live;
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    for await (const event of run.events()) {
      live = foldRun(live, event);
      if (isDue) continue;
      isDue = true;
      soon(show);
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!isBegun) void read();
      isBegun = true;
      return () => listeners.delete(listener);
    },
    snapshot: () => shown,
  };
}

/** With the next frame; in a page that is not shown, which has none, a moment later. */
function soon(work: () => void): void {
  if (typeof document === 'undefined' || document.hidden) setTimeout(work, 16);
  else requestAnimationFrame(work);
}

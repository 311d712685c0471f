import type { Run } from '@utensil/core';
import { foldRun, noRun } from '@utensil/elements/view';
import type { LiveRun } from '@utensil/elements/view';
import { toProblem } from './problem.ts';
import { useSource } from './use-source.ts';
import type { Observable } from './use-source.ts';

type FollowedRun = Pick<Run, 'events'>;

/** A run whose events are read once, for all components that show it. */
interface Following extends Observable {
  /** The same object until the next frame with news. */
  live(): LiveRun;
}

const nobody: Following = { subscribe: () => () => {}, live: () => noRun };
const followed = new WeakMap<FollowedRun, Following>();

/**
 * Live state of a run: its text as it arrives, its calls, its questions. Components that follow the same run share one
 * state and render at most once per frame. Without a run, `status` is `idle`.
 *
 * @example
 * ```ts
 * import type { Run } from '@utensil/core';
 * import { useRun } from '@utensil/react';
 * import { UtensilApproval } from '@utensil/react/elements';
 * import { createElement } from 'react';
 * import type { ReactNode } from 'react';
 *
 * function Question({ run }: { readonly run: Run }): ReactNode {
 *   const [question] = useRun(run).questions;
 *   if (question === undefined) return null;
 *   return createElement(UtensilApproval, {
 *     question,
 *     onAnswer: ({ detail: { questionId, answer } }) => run.answer(questionId, answer),
 *   });
 * }
 * ```
 */
export function useRun(run: FollowedRun | undefined): LiveRun {
  return useSource(run === undefined ? nobody : followingOf(run), (following) => following.live());
}

function followingOf(run: FollowedRun): Following {
  const known = followed.get(run);
  if (known !== undefined) return known;
  const following = follow(run);
  followed.set(run, following);
  return following;
}

/** Reads the events of a run, from the first subscriber to the end of the run. */
function follow(run: FollowedRun): Following {
  const listeners = new Set<() => void>();
  let latest = noRun;
  let shown = noRun;
  let isBegun = false;
  let isDue = false;

  function show(): void {
    isDue = false;
    if (shown === latest) return;
    shown = latest;
    for (const listener of listeners) listener();
  }

  function change(live: LiveRun): void {
    latest = live;
    if (live.status !== 'running') return show(); // messages read from its thread from now on are not shown twice
    if (isDue) return;
    isDue = true;
    withNextFrame(show);
  }

  async function read(): Promise<void> {
    try {
      for await (const event of run.events()) change(foldRun(latest, event));
    } catch (error) {
      const { code, message } = toProblem(error);
      change({ ...latest, status: 'error', error: { code, message } });
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!isBegun) void read();
      isBegun = true;
      return () => listeners.delete(listener);
    },
    live: () => shown,
  };
}

/** A hidden page has no frames, so a timer is used instead. */
function withNextFrame(work: () => void): void {
  const hasFrames = typeof requestAnimationFrame === 'function';
  const frame = hasFrames ? requestAnimationFrame(once) : undefined;
  const timer = setInterval(() => (!hasFrames || document.hidden) && once(), hasFrames ? 100 : 16);

  function once(): void {
    clearInterval(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
    work();
  }
}

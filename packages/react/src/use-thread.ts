import type { Message, Run, ThreadOwner, UtensilError } from '@utensil/core';
import { followThread } from '@utensil/elements/view';
import type { FollowedThread, FollowingThread, ThreadNews } from '@utensil/elements/view';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from './problem.ts';

/** What a thread has, as far as it is known. */
export interface ThreadState {
  /** Absent until they have been read. Those that did not change are the same objects. */
  readonly messages?: readonly Message[];
  /** Who else has the thread, such as another tab or program: nothing can be sent until that one is done. */
  readonly owner?: ThreadOwner;
  /** Why they could not be read, or not be read again. */
  readonly problem?: UtensilError;
  /** Reads all of them again. The same function for as long as the component is there. */
  reload(): void;
}

/** A run of this page, as far as the hook needs it. */
type RunOfPage = Pick<Run, 'result'>;

interface Found {
  readonly thread: FollowedThread;
  readonly news: ThreadNews;
}

/**
 * The stored messages of a thread, read again whenever somebody writes in it: another tab, another program, or the run of this page when it
 * ends. What that run is doing at the moment is in `useRun`; `<utensil-thread>` shows both as one.
 *
 * @example
 * ```ts
 * import type { Run, Thread } from '@utensil/core';
 * import { useThread } from '@utensil/react';
 * import { UtensilThread } from '@utensil/react/elements';
 * import { createElement } from 'react';
 * import type { ReactNode } from 'react';
 *
 * function Conversation({ thread, run }: { readonly thread: Thread; readonly run: Run | undefined }): ReactNode {
 *   const { messages, owner, problem } = useThread(thread, run);
 *   if (problem !== undefined) return createElement('p', { role: 'alert' }, problem.message);
 *   return createElement(UtensilThread, { messages, run, owner });
 * }
 * ```
 */
export function useThread(thread: FollowedThread | undefined, run?: RunOfPage): ThreadState {
  const [found, setFound] = useState<Found>();
  const following = useRef<FollowingThread>(undefined);
  const underWay = useRunUnderWay(run, () => following.current?.again());
  const reload = useCallback(() => following.current?.again(true), []);
  useEffect(() => {
    if (thread === undefined) return undefined;
    const made = followThread(thread, {
      hasRun: () => underWay.current !== undefined,
      show: (news) => setFound({ thread, news }),
    });
    following.current = made;
    return () => {
      following.current = undefined;
      made.stop();
    };
  }, [thread, underWay]);
  const news = found !== undefined && found.thread === thread ? found.news : undefined;
  return useMemo(() => ({ ...stateOf(news), reload }), [news, reload]);
}

function stateOf({ messages, owner, problem }: Partial<ThreadNews> = {}): Omit<ThreadState, 'reload'> {
  return {
    ...(messages && { messages }),
    ...(owner && { owner }),
    ...(problem !== undefined && { problem: toProblem(problem) }),
  };
}

/** The run, for as long as it is under way; `over` is called when it is not any more. */
function useRunUnderWay(run: RunOfPage | undefined, over: () => void): { readonly current: RunOfPage | undefined } {
  const underWay = useRef<RunOfPage>(undefined);
  const latest = useRef(over);
  useEffect(() => void (latest.current = over));
  useEffect(() => {
    underWay.current = run;
    const end = (): void => {
      if (underWay.current !== run) return;
      underWay.current = undefined;
      latest.current();
    };
    void run?.result.then(end, end);
    return () => void (underWay.current = undefined);
  }, [run]);
  return underWay;
}

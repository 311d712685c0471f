import type { Message, Run, ThreadOwner, UtensilError } from '@utensil/core';
import { followThread } from '@utensil/elements/view';
import type { FollowedThread, FollowingThread, ThreadNews } from '@utensil/elements/view';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from './problem.ts';

/** Known state of a thread. */
export interface ThreadState {
  /** Undefined until they have been read. Unchanged messages keep their identity. */
  readonly messages?: readonly Message[];
  /** Other owner of the thread, such as another tab or program: nothing can be sent until it is done. */
  readonly owner?: ThreadOwner;
  /** Error of the last read. */
  readonly problem?: UtensilError;
  /** Reads all messages again. Keeps its identity for the lifetime of the component. */
  reload(): void;
}

/** Part of a run that the hook needs. */
type RunOfPage = Pick<Run, 'result'>;

interface Found {
  readonly thread: FollowedThread;
  readonly news: ThreadNews;
}

/**
 * Stored messages of a thread, read again after each write: by another tab, another program, or this page's run when it
 * ends. `useRun` shows the live state of that run; `<utensil-thread>` combines both.
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

/** The run while it is in progress; `over` is called at its end. */
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

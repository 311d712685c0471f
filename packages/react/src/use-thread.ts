import { messagesOf } from '@utensil/core';
import type { Message, Run, Thread, UtensilError } from '@utensil/core';
import { useEffect, useMemo } from 'react';
import { useReading } from './use-reading.ts';
import type { ListSource } from './use-reading.ts';

/** What a thread has, as far as it is known. */
export interface ThreadState {
  /** Absent until they have been read. Those that did not change are the same objects. */
  readonly messages?: readonly Message[];
  /** Why they could not be read, or not be read again. */
  readonly problem?: UtensilError;
  /** Reads them again, as after another tab has written. The same function for as long as the component is there. */
  reload(): void;
}

/**
 * The stored messages of a thread, read again when the run on it ends. What a run is doing at the moment is in `useRun`;
 * `<utensil-thread>` shows both as one.
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
 *   const { messages, problem } = useThread(thread, run);
 *   if (problem !== undefined) return createElement('p', { role: 'alert' }, problem.message);
 *   return createElement(UtensilThread, { messages, run });
 * }
 * ```
 */
export function useThread(thread: Pick<Thread, 'read'> | undefined, run?: Pick<Run, 'result'>): ThreadState {
  const source = useMemo(() => thread && sourceOf(thread), [thread]);
  const { items: messages, problem, again: reload } = useReading(source);
  useEffect(() => {
    let isCurrent = true;
    void run?.result.then(() => isCurrent && reload());
    return () => void (isCurrent = false);
  }, [run, reload]);
  return useMemo(
    () => ({ ...(messages && { messages }), ...(problem && { problem }), reload }),
    [messages, problem, reload],
  );
}

function sourceOf(thread: Pick<Thread, 'read'>): ListSource<Message> {
  return { read: () => messagesOf(thread), keyOf: ({ id }) => id };
}

import { isUtensilError, messageOf, UtensilError } from '@utensil/core';
import type { Message, Run, Thread } from '@utensil/core';
import { useCallback, useEffect, useState } from 'react';

/** What a thread has, as far as it is known. */
export interface ThreadState {
  /** Absent until they have been read. */
  readonly messages?: readonly Message[];
  /** Why they could not be read. */
  readonly problem?: UtensilError;
  /** Reads them again, as after another tab has written. */
  reload(): void;
}

/**
 * The stored messages of a thread, read again when the run on it ends. What a run is doing at the moment is in `useRun`;
 * `<utensil-thread>` shows both as one.
 */
export function useThread(thread: Thread | undefined, run?: Run): ThreadState {
  const [state, setState] = useState<{ readonly of: Thread; readonly found: Omit<ThreadState, 'reload'> }>();
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((round) => round + 1), []);
  useEffect(() => {
    if (thread === undefined) return undefined;
    let isCurrent = true;
    void readMessages(thread).then((found) => isCurrent && setState({ of: thread, found }));
    return () => void (isCurrent = false);
  }, [thread, round]);
  useEffect(() => {
    let isCurrent = true;
    void run?.result.then(() => isCurrent && reload());
    return () => void (isCurrent = false);
  }, [run, reload]);
  return { ...(state !== undefined && state.of === thread && state.found), reload };
}

async function readMessages(thread: Thread): Promise<Omit<ThreadState, 'reload'>> {
  try {
    return { messages: await thread.messages() };
  } catch (error) {
    return { problem: isUtensilError(error) ? error : new UtensilError('EIO', messageOf(error), { cause: error }) };
  }
}

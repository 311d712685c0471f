import { listQuestions } from '@utensil/core';
import { listThreads } from '@utensil/core/thread';
import type { WaitingQuestion } from '@utensil/core';
import type { ThreadSummary } from '@utensil/core/thread';
import { useEffect, useState } from 'react';
import { storedTitles } from '../data/titles.ts';
import type { OpenProject } from '../data/workspace.ts';

/** Conversations of a project, newest first, and their open questions, oldest first. */
export interface Threads {
  readonly threads: readonly ThreadSummary[];
  readonly waiting: readonly WaitingQuestion[];
}

const none: Threads = { threads: [], waiting: [] };

/** Stored conversations of a project, including changes of other tabs. */
export function useThreads(opened: OpenProject | undefined): Threads {
  const [found, setFound] = useState<Threads & { readonly of: OpenProject }>();
  useEffect(() => {
    if (opened === undefined) return undefined;
    let latest = 0;
    const read = async (): Promise<void> => {
      const mine = ++latest;
      const read = await titled(opened).catch(() => none);
      if (mine === latest) setFound({ of: opened, ...read });
    };
    const stop = opened.storage.watch((changed) => {
      // Thread summaries are one level below `threads`, and open questions below `questions`; messages are deeper.
      if (changed.some(({ tree, path }) => tree === 'records' && path.split('/').length <= 3)) void read();
    });
    void read();
    return () => {
      latest = -1;
      stop();
    };
  }, [opened]);
  return found !== undefined && found.of === opened ? found : none;
}

async function titled({ records }: OpenProject): Promise<Threads> {
  const read = [listThreads(records), storedTitles(records), listQuestions(records)] as const;
  const [threads, titles, waiting] = await Promise.all(read);
  return { threads: threads.map((thread) => ({ ...thread, title: titles.get(thread.id) ?? thread.title })), waiting };
}

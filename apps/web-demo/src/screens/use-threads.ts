import { listThreads } from '@utensil/core';
import type { ThreadSummary } from '@utensil/core';
import { useEffect, useState } from 'react';
import { storedTitles } from '../data/titles.ts';
import type { OpenProject } from '../data/workspace.ts';

/** The conversations of a project, newest first, as they are stored here and in other tabs. */
export function useThreads(opened: OpenProject | undefined): readonly ThreadSummary[] {
  const [found, setFound] = useState<{ readonly of: OpenProject; readonly threads: readonly ThreadSummary[] }>();
  useEffect(() => {
    if (opened === undefined) return undefined;
    let latest = 0;
    const read = async (): Promise<void> => {
      const mine = ++latest;
      const threads = await titled(opened).catch(() => []);
      if (mine === latest) setFound({ of: opened, threads });
    };
    const stop = opened.storage.watch((changed) => {
      // A thread itself is one level below `threads`: what is said in it changes deeper.
      if (changed.some(({ tree, path }) => tree === 'records' && path.split('/').length <= 3)) void read();
    });
    void read();
    return () => {
      latest = -1;
      stop();
    };
  }, [opened]);
  return found !== undefined && found.of === opened ? found.threads : [];
}

async function titled({ records }: OpenProject): Promise<readonly ThreadSummary[]> {
  const [threads, titles] = await Promise.all([listThreads(records), storedTitles(records)]);
  return threads.map((thread) => ({ ...thread, title: titles.get(thread.id) ?? thread.title }));
}

import { useEffect, useState } from 'react';
import { examplesFor } from '../data/examples.ts';
import type { Example } from '../data/examples.ts';
import type { OpenProject } from '../data/workspace.ts';

/** Examples for the current files of a project; looked up again when `moment` changes. */
export function useExamples({ files }: OpenProject, moment: unknown): readonly Example[] {
  const [examples, setExamples] = useState<readonly Example[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void examplesFor(files).then((found) => isCurrent && setExamples(found));
    return () => void (isCurrent = false);
  }, [files, moment]);
  return examples;
}

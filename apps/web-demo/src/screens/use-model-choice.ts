import { useEffect, useState } from 'react';
import { choiceOf, firstSettings, readSettings } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import { problemText } from '../data/advice.ts';
import type { OpenProject } from '../data/workspace.ts';

/** The model selected for a project; undefined until loaded. Follows changes of other tabs. */
export function useModelChoice(
  { records, storage }: OpenProject,
  onProblem: (text: string) => void,
): ModelChoice | undefined {
  const [choice, setChoice] = useState<ModelChoice>();
  useEffect(() => {
    let isCurrent = true;
    let begun = 0;
    const read = async (): Promise<void> => {
      const turn = ++begun;
      const found = await readSettings(records).catch((error: unknown) => {
        if (isCurrent) onProblem(problemText(error));
        return firstSettings;
      });
      if (isCurrent && turn === begun) setChoice(choiceOf(found)); // a later read may end first
    };
    const stop = storage.watch((changed) => {
      if (changed.some(({ tree, path }) => tree === 'records' && path.startsWith('/model'))) void read();
    });
    void read();
    return () => {
      isCurrent = false;
      stop();
    };
  }, [records, storage]);
  return choice;
}

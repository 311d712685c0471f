import { useEffect, useState } from 'react';
import { problemText } from '../data/advice.ts';
import { readSettings, writeSettings } from '../data/model-choice.ts';
import type { ModelSettings } from '../data/model-choice.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';

/** The settings of a project's models, and how they are changed. */
export interface EditedModelSettings {
  /** Undefined until they are read. */
  readonly settings: ModelSettings | undefined;
  readonly problem: string | undefined;
  change(settings: ModelSettings): void;
  dismiss(): void;
}

export function useModelSettings({ storages }: Workspace, { records }: OpenProject): EditedModelSettings {
  const [settings, setSettings] = useState<ModelSettings>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const read = (): Promise<void> => readSettings(records).then(setSettings);
    // Settings that cannot be read are put aside, and are those of a first visit from then on.
    read().catch((error: unknown) => {
      setProblem(problemText(error));
      return read().catch(() => undefined);
    });
  }, [records]);

  return {
    settings,
    problem,
    change(next) {
      setSettings(next);
      writeSettings({ records, app: storages.app }, next).catch((error: unknown) => setProblem(problemText(error)));
    },
    dismiss: () => setProblem(undefined),
  };
}

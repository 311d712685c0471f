import { useEffect, useState } from 'react';
import { problemText } from '../data/advice.ts';
import { readSettings, writeSettings } from '../data/model-choice.ts';
import type { ModelSettings } from '../data/model-choice.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';

/** Model settings of a project, and their setter. */
export interface EditedModelSettings {
  /** Undefined until loaded. */
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
    // Unreadable settings were set aside; the defaults apply from now on.
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

import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { hostOf } from '../data/host.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Settings } from './elements.tsx';
import { Icon } from './icon.tsx';
import { useTexts } from './use-texts.ts';

interface ToolsPopoverProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  readonly isRunning: boolean;
}

/** A button that opens the tools of the project. */
export function ToolsPopover({ workspace, opened, isRunning }: ToolsPopoverProps): ReactElement {
  const { composer: texts } = useTexts();
  const { registry, vault } = workspace;
  const [isWanted, setIsWanted] = useState(false);
  const host = useMemo(() => hostOf(opened, { vault }), [opened, vault]);
  const load = (): void => void Settings.load();
  return (
    <>
      <button type="button" className="quiet" popoverTarget="composer-tools" onPointerEnter={load} onFocus={load}>
        <Icon name="tools" /> {texts.tools}
      </button>
      <div id="composer-tools" popover="auto" aria-label={texts.toolsLabel} onBeforeToggle={() => setIsWanted(true)}>
        {isWanted && <Settings compact busy={isRunning} registry={registry} settings={opened.settings} host={host} />}
      </div>
    </>
  );
}

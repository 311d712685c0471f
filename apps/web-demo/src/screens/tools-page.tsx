import { UtensilRules } from '@utensil/react/elements/rules';
import { UtensilSettings } from '@utensil/react/elements/settings';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { hostOf } from '../data/host.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { useTexts } from './use-texts.ts';

/** Which tools are on, and how each is set. */
export function ToolsPage({
  workspace,
  opened,
}: {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
}): ReactElement {
  const { tools: texts } = useTexts();
  const { registry, vault } = workspace;
  const host = useMemo(() => hostOf(opened, { vault }), [opened, vault]);
  return (
    <div className="page">
      <h1>{texts.heading}</h1>
      <p className="lead">{texts.lead}</p>
      <UtensilSettings registry={registry} settings={opened.settings} host={host} secrets={vault} />
      <UtensilRules
        rules={opened.rules}
        registry={registry}
        settings={opened.settings}
        host={host}
        projectId={opened.project.id}
      />
    </div>
  );
}

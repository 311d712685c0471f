import { UtensilRules } from '@utensil/react/elements/rules';
import { UtensilSettings } from '@utensil/react/elements/settings';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { isUtensilError } from '@utensil/core';
import type { Host } from '@utensil/core';
import { hostOf } from '../data/host.ts';
import type { ProjectRules } from '../data/project-rules.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Notice } from './notice.tsx';
import { useTexts } from './use-texts.ts';

/** Switches and options of the tools. */
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
      <Servers workspace={workspace} />
      <Rules workspace={workspace} opened={opened} host={host} />
    </div>
  );
}

/** The servers of tools; their code is loaded with them. */
function Servers({ workspace }: { readonly workspace: Workspace }): ReactElement | null {
  const { app: texts } = useTexts();
  const [loaded, setLoaded] = useState<{ readonly section: ReactElement } | { readonly problem: string }>();
  useEffect(() => {
    let isLeft = false;
    const take = (next: typeof loaded): void => {
      if (!isLeft) setLoaded(next);
    };
    Promise.all([workspace.mcpServers(), import('./mcp-servers/mcp-servers.tsx')]).then(
      ([servers, { McpServersSection }]) => take({ section: <McpServersSection servers={servers} /> }),
      (error: unknown) => take({ problem: isUtensilError(error) ? error.message : texts.partNotLoaded }),
    );
    return () => {
      isLeft = true;
    };
  }, [workspace, texts]);
  if (loaded === undefined) return null;
  return 'section' in loaded ? loaded.section : <Notice text={loaded.problem} />;
}

/** Rules that decide about calls; their code is loaded on demand. */
function Rules({
  workspace: { registry },
  opened,
  host,
}: {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  readonly host: Host;
}): ReactElement {
  const { app: texts } = useTexts();
  const [rules, setRules] = useState<ProjectRules | 'failed'>();
  useEffect(() => {
    let isLeft = false;
    const take = (loaded: ProjectRules | 'failed'): void => {
      if (!isLeft) setRules(loaded);
    };
    opened.rules().then(take, () => take('failed'));
    return () => {
      isLeft = true;
    };
  }, [opened]);
  if (rules === 'failed') return <Notice text={texts.partNotLoaded} />;
  return (
    <UtensilRules
      {...(rules && { rules })}
      registry={registry}
      settings={opened.settings}
      host={host}
      projectId={opened.project.id}
    />
  );
}

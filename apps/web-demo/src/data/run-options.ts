import { resolveToolset } from '@utensil/core';
import type { PermissionTier, Registry, ResumeOptions, Seals, SettingsStore, Thread } from '@utensil/core';
import type { ProjectRules } from './project-rules.ts';
import { hostOf } from './host.ts';
import { loadModel } from './model-choice.ts';
import type { ModelChoice } from './model-choice.ts';
import type { ProjectStorage } from './storage.ts';
import type { Vault } from './vault.ts';

const instructions =
  'You help a person in a web page. The tools work on the files of their project, which are kept in their browser. Use them to look before you answer, and change nothing that you were not asked to change. Be brief; the person sees every call and its result. Markdown is rendered.';

/** Dependencies of a project's runs. */
export interface RunSetup {
  readonly projectId: string;
  readonly project: ProjectStorage;
  readonly settings: SettingsStore;
  readonly registry: Registry;
  readonly vault: Vault;
  /** Seals of lasting grants. */
  readonly seals: Seals;
  /** Rules, which decide before the tier does. */
  readonly rules: () => Promise<ProjectRules>;
  readonly tier: PermissionTier;
}

/** Options of a run with the selected model. Its file changes can be undone as one turn. */
export async function runOptions(
  { projectId, project, settings, registry, vault, seals, rules, tier }: RunSetup,
  choice: ModelChoice,
  thread: Thread,
): Promise<ResumeOptions> {
  const turn = crypto.randomUUID();
  const { policy, permissions } = await rules();
  const host = hostOf(project, { vault, turn });
  return {
    model: await loadModel(choice, vault),
    toolset: () => resolveToolset(registry, settings.current(), host), // tools of servers come and go
    thread,
    instructions,
    policy: policy(tier),
    grants: permissions,
    seals,
    projectId,
  };
}

import { settingsPolicy, settingsRules } from '@utensil/core/guard';
import type { SettingsRules } from '@utensil/core/guard';
import { permissions, settingsGrants } from '@utensil/core';
import type { Grants, PermissionTier, Policy, Seals, SettingsStore } from '@utensil/core';

/** Rules of the app that no setting can override. */
const admin = [{ decision: 'deny', when: [{ field: ['path', 'paths', 'from', 'to'], path: '.env*' }] }] as const;

/** Rules of a project, beneath those of the app. */
export interface ProjectRules extends SettingsRules {
  /** Policy of a run: the rules, and a tier for calls that no rule decides. */
  policy(tier: PermissionTier): Policy;
  /** Lasting grants. */
  readonly permissions: Grants;
}

/** Opens the rules of a project. Loaded with the first run, or with the page that shows the rules. */
export function projectRules(settings: SettingsStore, seals: Seals, projectId: string): ProjectRules {
  const rules = settingsRules(settings, { seals, scope: projectId, admin });
  return {
    ...rules,
    policy: (tier) => settingsPolicy(rules, { otherwise: permissions(tier) }),
    permissions: settingsGrants(settings, { seals, scope: projectId }),
  };
}

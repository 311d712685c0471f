import { settingsPolicy, settingsRules } from '@utensil/core/guard';
import type { SettingsRules } from '@utensil/core/guard';
import { permissions, settingsGrants } from '@utensil/core';
import type { Grants, PermissionTier, Policy, Seals, SettingsStore } from '@utensil/core';

/** What nobody may do in this app, whatever they allow in the settings. */
const admin = [{ decision: 'deny', when: [{ field: ['path', 'paths', 'from', 'to'], path: '.env*' }] }] as const;

/** The rules of a project, over those of this app. */
export interface ProjectRules extends SettingsRules {
  /** The policy of a run: the rules, and the tier where none decides. */
  policy(tier: PermissionTier): Policy;
  /** What is always allowed. */
  readonly permissions: Grants;
}

/** The rules of a project. This is loaded when the first run begins, or the rules are looked at. */
export function projectRules(settings: SettingsStore, seals: Seals, projectId: string): ProjectRules {
  const rules = settingsRules(settings, { seals, scope: projectId, admin });
  return {
    ...rules,
    policy: (tier) => settingsPolicy(rules, { otherwise: permissions(tier) }),
    permissions: settingsGrants(settings, { seals, scope: projectId }),
  };
}

import { settingsRules } from '@utensil/core/guard';
import type { SettingsRules } from '@utensil/core/guard';
import type { Seals, SettingsStore } from '@utensil/core';

/** What nobody may do in this app, whatever they allow in the settings. */
const admin = [{ decision: 'deny', when: [{ field: ['path', 'paths', 'from', 'to'], path: '.env*' }] }] as const;

/** The rules of a project, over those of this app. */
export function projectRules(settings: SettingsStore, seals: Seals, projectId: string): SettingsRules {
  return settingsRules(settings, { seals, scope: projectId, admin });
}

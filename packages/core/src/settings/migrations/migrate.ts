import { isObject } from '../../base/json.ts';
import { corruptSettings, migrateSettings } from '../versions.ts';
import type { Settings } from '../settings.ts';
import { fromEnabledIds } from './enabled-ids.ts';
import { fromEnabledRecord } from './enabled-record.ts';
import { fromProjectSwitches } from './project-switches.ts';
import type { MigrationStep } from './step.ts';
import { fromServersFile, fromToolsFile } from './tool-files.ts';
import { fromToolToggles } from './tool-toggles.ts';

/** In order: the last step accepts any record of booleans. */
const steps: readonly MigrationStep[] = [
  fromProjectSwitches,
  fromToolToggles,
  fromEnabledIds,
  fromToolsFile,
  fromServersFile,
  fromEnabledRecord,
];

/**
 * Migrates settings stored by an older app, parsed or as JSON text, or our document of any version. Pure and
 * idempotent.
 *
 * @throws `settings_corrupt` if it is not a settings document, `settings_newer` if a later version of our format.
 * @example
 * ```ts
 * import { migrate } from '@utensil/core/migrations';
 *
 * const { tools } = migrate('{"memoryEnabled":true,"memoryUseSystemPrompt":true,"jsExecutionEnabled":false}');
 * console.log(tools['memory']); // { enabled: true, options: { useSystemPrompt: true } }
 * ```
 */
export function migrate(stored: unknown): Settings {
  const document = typeof stored === 'string' ? parsed(stored) : stored;
  if (!isObject(document) || isOurs(document)) return migrateSettings(document);
  return migrateSettings(steps.reduce<Readonly<Record<string, unknown>>>((current, step) => step(current), document));
}

function isOurs({ version, tools }: Readonly<Record<string, unknown>>): boolean {
  return typeof version === 'number' && version > 0 && isObject(tools);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corruptSettings('it is not JSON');
  }
}

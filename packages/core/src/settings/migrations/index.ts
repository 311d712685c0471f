// Settings of older apps. Each format is a pure step that can be used alone.
export { migrate } from './migrate.ts';
export { fromEnabledIds } from './enabled-ids.ts';
export { fromEnabledRecord } from './enabled-record.ts';
export { fromProjectSwitches } from './project-switches.ts';
export { fromServersFile, fromToolsFile, toolsFileSecrets } from './tool-files.ts';
export { fromToolToggles } from './tool-toggles.ts';
export type { MigrationStep, OldDocument } from './step.ts';

// Settings and options of tools, for pages that show and change them. `openSettings` is in the root entry.

export { isVisible, optionProblem, readOptions } from '../tool/option.ts';
export { modelChoices } from '../tool/model-choices.ts';
export type { OfferedModel } from '../tool/model-choices.ts';
export { isEnabled, settingsOf, withCategory, withEnabled, withInstructions, withOption } from './settings.ts';
export type { ToolSettings } from './settings.ts';
export { allGrants, withGrant, withoutGrant } from './stored-grants.ts';
export type { SealedGrant, SealedPin, StoredRule } from './sealed.ts';
export { ruleIdOf, withoutRule, withRule } from './stored-rules.ts';
export { absentTools, unseenTools, withoutTools, withSeen } from './seen.ts';
export { layerSettings, overSettings } from './layers.ts';
export { openThreadSettings } from './store.ts';

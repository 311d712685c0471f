// Permissions: rules as data, and guards for toolsets in foreign loops.
export { rulesPolicy } from '../permission/rules-policy.ts';
export type { RulesPolicy, RulesPolicyOptions } from '../permission/rules-policy.ts';
export { settingsPolicy } from '../permission/settings-policy.ts';
export type { SettingsPolicy } from '../permission/settings-policy.ts';
export { settingsRules } from '../permission/settings-rules.ts';
export type { ListedRule, SettingsRules, SettingsRulesOptions } from '../permission/settings-rules.ts';
export type { PinnedTool, SettingsPins, ToolVersion } from '../permission/tool-versions.ts';
export { ruleProblem } from '../../rules/rule-problem.ts';
export { ruleName } from '../../rules/rule-text.ts';
export type { Explanation, Rule, RuleCondition, RuleLayer, Rules, RuleSubject } from '../../rules/rule.ts';
export { guard } from './guard.ts';
export type { GuardOptions } from './guard.ts';
export type { AskPeople, GuardedToolset } from './guard-session.ts';
export { isGuarded } from './guard-session.ts';

import type { Rule, RuleCondition, RuleLayer } from './rule.ts';

/** The rule that decided. */
export interface RuleInForce {
  readonly rule: Rule;
  readonly layer: RuleLayer;
  readonly isUncertain: boolean;
  readonly problem?: string | undefined;
}

const owners: Readonly<Record<RuleLayer, string>> = {
  admin: 'the administrator',
  user: 'the user',
  project: 'the project',
};

const verbs: Readonly<Record<Rule['decision'], string>> = { deny: 'denies', ask: 'asks before', allow: 'allows' };

/** One sentence for people about a rule's effect on a call. */
export function ruleText({ rule, layer, isUncertain, problem }: RuleInForce): string {
  const named = `The rule "${ruleName(rule)}" of ${owners[layer]}`;
  if (problem !== undefined) return `${named} cannot be used, so this is asked about. ${problem}`;
  if (isUncertain) return `${named} may or may not be about this call, so it is asked about.`;
  return `${named} ${verbs[rule.decision]} this call.`;
}

/** Maximum length of a displayed name. */
const mostCharacters = 200;

/** The name of a rule, or a short generated one. The rule may have been stored by another program. */
export function ruleName(rule: Rule): string {
  const { name, tool, category, effects, when } = rule;
  if (typeof name === 'string') return name.slice(0, mostCharacters);
  const subject = [tool, category, effects].filter((each) => each !== undefined).map(listed);
  const conditions = (Array.isArray(when) ? (when as readonly RuleCondition[]) : []).map((condition) =>
    listed(condition.path ?? condition.host ?? condition.command ?? condition.text),
  );
  return [...subject, ...conditions].join(': ').slice(0, mostCharacters) || 'all calls';
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.map(listed).join(', ') : typeof value === 'string' ? value : '?';
}

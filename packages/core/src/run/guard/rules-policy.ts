import { compileRules } from '../../rules/rule-set.ts';
import type { Explanation, Rules } from '../../rules/rule.ts';
import type { Decision, Policy, PolicyRequest } from '../policy.ts';

/** A policy that is made of rules. */
export interface RulesPolicy extends Policy {
  /** The rule that decides over a call; undefined if none does. */
  explain(request: PolicyRequest): Explanation | undefined;
}

/** Options of {@link rulesPolicy}. */
export interface RulesPolicyOptions {
  /** Decides where no rule does. Default: asks. */
  readonly otherwise?: Policy;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A policy made of rules, which are data. A `deny` of any layer wins. Then the admin decides if calls are asked about, and the
 * user over what the project says; in a layer, `ask` wins over `allow`. What the admin allows, the others may narrow. A rule of
 * which nobody can tell whether it is about a call asks.
 *
 * @example
 * ```ts
 * import { permissions } from '@utensil/core';
 * import { rulesPolicy } from '@utensil/core/guard';
 *
 * const policy = rulesPolicy(
 *   {
 *     admin: [{ decision: 'deny', when: [{ field: ['path', 'paths'], path: '.env*' }] }],
 *     user: [
 *       { decision: 'ask', tool: 'shell', when: [{ field: 'command', command: 'git push*' }] },
 *       { decision: 'allow', tool: 'shell', when: [{ field: 'command', command: ['git status*', 'git diff*'] }] },
 *     ],
 *   },
 *   { otherwise: permissions('write') },
 * );
 * ```
 */
export function rulesPolicy(
  rules: Rules,
  { otherwise = () => 'ask', now = Date.now }: RulesPolicyOptions = {},
): RulesPolicy {
  const compiled = compileRules(rules);
  const explain = (request: PolicyRequest): Explanation | undefined =>
    compiled.explain({ ...request, principal: request.principal?.id }, now());

  const policy: Policy = (request) => {
    const found = explain(request);
    return found === undefined ? otherwise(request) : decisionBy(found);
  };
  return Object.assign(policy, { explain });
}

/** What a rule that decides says to a run. */
export function decisionBy({ decision, rule, text, eachTime }: Explanation): Decision {
  if (decision === 'allow') return 'allow';
  return decision === 'deny' ? { deny: rule.reason ?? text } : { ask: text, eachTime };
}

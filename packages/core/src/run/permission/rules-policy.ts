import { compileRules } from '../../rules/rule-set.ts';
import type { Explanation, Rules } from '../../rules/rule.ts';
import type { Decision, Policy, PolicyRequest } from './policy.ts';

/** A policy based on rules. */
export interface RulesPolicy extends Policy {
  /** The rule that decides about a call; undefined if none does. */
  explain(request: PolicyRequest): Explanation | undefined;
}

/** Options of {@link rulesPolicy}. */
export interface RulesPolicyOptions {
  /** Decides if no rule does. Default: asks. */
  readonly otherwise?: Policy;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Creates a policy from rules. A `deny` of any layer wins. Then the admin's rules have priority over the user's, and
 * these over the project's; within a layer, `ask` wins over `allow`. Other layers may narrow what the admin allows. If
 * it is unknown whether a rule applies to a call, the user is asked.
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

/** Decision of a rule, in the form that a run expects. */
export function decisionBy({ decision, rule, text, eachTime }: Explanation): Decision {
  if (decision === 'allow') return 'allow';
  return decision === 'deny' ? { deny: rule.reason ?? text } : { ask: text, eachTime };
}

import type { Explanation } from '../../rules/rule.ts';
import { isDenial } from './judge.ts';
import type { Decision, Policy, PolicyRequest } from './policy.ts';
import { decisionBy } from './rules-policy.ts';
import type { SettingsRules } from './settings-rules.ts';

/** A policy based on the rules in settings. */
export interface SettingsPolicy extends Policy {
  /** The rule that currently decides about a call; undefined if none does. */
  explain(request: PolicyRequest): Promise<Explanation | undefined>;
}

/**
 * The policy of the rules that hold in a project, with each change of them from the next call on. A `deny` of any layer wins, then
 * the admin's `ask`; see `rulesPolicy`. `otherwise` decides if no rule does; default: asks. Whichever allows it, a call of a tool of
 * others that is not in its known version is asked about: see {@link SettingsRules.pins}.
 *
 * @example
 * ```ts
 * import { permissions } from '@utensil/core';
 * import type { Policy } from '@utensil/core';
 * import { settingsPolicy } from '@utensil/core/guard';
 * import type { SettingsRules } from '@utensil/core/guard';
 *
 * export function policyOf(rules: SettingsRules): Policy {
 *   return settingsPolicy(rules, { otherwise: permissions('write') });
 * }
 * ```
 */
export function settingsPolicy(
  rules: Pick<SettingsRules, 'explain'> & Partial<Pick<SettingsRules, 'pins'>>,
  { otherwise = () => 'ask' }: { readonly otherwise?: Policy } = {},
): SettingsPolicy {
  const explain = (request: PolicyRequest): Promise<Explanation | undefined> =>
    rules.explain({ ...request, principal: request.principal?.id });

  const policy: Policy = async (request) => {
    const found = await explain(request);
    const decision = await (found === undefined ? otherwise(request) : decisionBy(found));
    return request.foreign === true && !isDenial(decision) ? ofVersion(decision, request) : decision;
  };

  /** Asks about a foreign tool that has changed, even if it is allowed, and explains that in the question. */
  async function ofVersion(decision: Decision, { name, toolFingerprint, principal }: PolicyRequest): Promise<Decision> {
    const problem = await rules.pins?.problemOf({ name, toolFingerprint }, principal);
    return problem === undefined ? decision : { ...(typeof decision === 'object' && decision), ask: problem };
  }

  return Object.assign(policy, { explain });
}

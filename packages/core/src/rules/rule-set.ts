import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Test } from './matcher.ts';
import { compileRule, unreadableTest } from './rule-matcher.ts';
import { ruleLayers } from './rule.ts';
import type { Explanation, Rule, RuleLayer, Rules, RuleSubject } from './rule.ts';
import { ruleText } from './rule-text.ts';

/** Compiled rules that decide over calls. */
export interface RuleSet {
  /** The rule that decides over a call at a given time; undefined if none does. */
  explain(subject: RuleSubject, now: number): Explanation | undefined;
}

interface Compiled {
  readonly rule: Rule;
  readonly layer: RuleLayer;
  readonly test: Test;
  readonly problem?: string | undefined;
  /** Milliseconds since 1970, if it can be parsed. */
  readonly expires?: number | undefined;
}

/** A rule that applies, or may apply, to a call. */
interface Found extends Compiled {
  readonly isUncertain: boolean;
}

/** Precedence, highest first: the first line with a matching rule decides. */
const precedence: readonly ((found: Found) => boolean)[] = [
  ({ rule, isUncertain }) => rule.decision === 'deny' && !isUncertain,
  ({ rule, problem }) => rule.decision === 'deny' || (problem !== undefined && rule.decision !== 'allow'),
  ({ rule, layer }) => rule.decision === 'ask' && layer === 'admin',
  ...(['user', 'project'] as const).flatMap((own) => [
    ({ rule, layer }: Found) => rule.decision === 'ask' && layer === own,
    ({ rule, layer, isUncertain }: Found) => rule.decision === 'allow' && layer === own && !isUncertain,
  ]),
  ({ rule, isUncertain }) => rule.decision === 'allow' && !isUncertain,
  () => true, // a rule that only may allow the call asks
];

/**
 * Compiles rules once. A rule that cannot be compiled may apply to any call of its tools. Rules that are `unusable` for
 * another reason, which is for people, also ask if they may apply.
 */
export function compileRules(rules: Rules, unusable: ReadonlyMap<Rule, string> = new Map()): RuleSet {
  const layers = Array.isArray(rules) ? { user: rules as readonly Rule[] } : (rules as Exclude<Rules, readonly Rule[]>);
  const compiled = ruleLayers.flatMap((layer) =>
    (layers[layer] ?? []).map((rule) => compile({ rule, layer }, unusable)),
  );
  return {
    explain(subject, now) {
      const found = compiled.flatMap((each): readonly Found[] => {
        if (each.expires !== undefined && each.expires <= now) return [];
        const match = each.test(subject);
        return match === 'no' ? [] : [{ ...each, isUncertain: match === 'unknown' || each.problem !== undefined }];
      });
      for (const isFirst of precedence) {
        const first = found.find(isFirst);
        if (first !== undefined) return explained(first);
      }
      return undefined;
    },
  };
}

function compile(
  { rule, layer }: { readonly rule: Rule; readonly layer: RuleLayer },
  unusable: ReadonlyMap<Rule, string>,
): Compiled {
  try {
    return { rule, layer, test: compileRule(rule), expires: rule.expires, problem: unusable.get(rule) };
  } catch (error) {
    const known: Rule = isObject(rule) ? rule : { decision: 'ask' };
    return { rule: known, layer, test: unreadableTest(known), problem: messageOf(error) };
  }
}

function explained({ rule, layer, isUncertain, problem }: Found): Explanation {
  const decision = isUncertain ? 'ask' : rule.decision;
  const eachTime = decision === 'ask' && (isUncertain || layer === 'admin' || (rule.when ?? []).length > 0);
  return { decision, layer, rule, isUncertain, eachTime, text: ruleText({ rule, layer, isUncertain, problem }) };
}

import { isObject } from '@utensil/core';
import type { Explanation, Rule, RuleCondition } from '@utensil/core/guard';
import type { Texts } from '../texts/texts.ts';
import { patternKinds } from './draft.ts';

/** Maximum characters of a name. */
const mostCharacters = 200;

/** Short subject of a rule: its name, or its tools and patterns. Accepts anything that another program has stored. */
export function ruleSubject(rule: unknown, texts: Texts['rules']): string {
  if (!isObject(rule)) return texts.allCalls;
  const { name, tool, category, effects, when } = rule;
  if (typeof name === 'string' && name !== '') return name.slice(0, mostCharacters);
  const effect = typeof effects === 'string' && Object.hasOwn(texts.subjects, effects) ? effects : undefined;
  const subjects = [
    textOf(tool),
    textOf(category),
    effect === undefined ? textOf(effects) : texts.subjects[effect as keyof typeof texts.subjects],
    ...(Array.isArray(when) ? when : []).map(patternsOf),
  ];
  return subjects.filter(Boolean).join(': ').slice(0, mostCharacters) || texts.allCalls;
}

/** Decision of a rule; an unknown one counts as `ask`. */
export function decisionOf(rule: unknown): Rule['decision'] {
  const decision = isObject(rule) ? rule['decision'] : undefined;
  return decision === 'deny' || decision === 'allow' ? decision : 'ask';
}

/** Sentence about the rule that decides a call. */
export function explanationText(found: Explanation | undefined, texts: Texts['rules']): string {
  if (found === undefined) return texts.noRule;
  const { rule, layer, decision, isUncertain } = found;
  const by = [ruleSubject(rule, texts), texts.layers[layer]] as const;
  return isUncertain ? texts.uncertain(...by) : texts.decided(texts.decisions[decision], ...by);
}

function patternsOf(condition: unknown): string {
  if (!isObject(condition)) return '';
  return textOf(patternKinds.map((kind) => (condition as RuleCondition & typeof condition)[kind]).find(Boolean));
}

function textOf(value: unknown): string {
  return [value]
    .flat()
    .filter((each) => typeof each === 'string')
    .join(', ');
}

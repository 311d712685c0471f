import { isObject } from '@utensil/core';
import type { Explanation, Rule, RuleCondition } from '@utensil/core/guard';
import type { Texts } from '../texts/texts.ts';
import { patternKinds } from './draft.ts';

/** More of a name is no help. */
const mostCharacters = 200;

/** What a rule is about, in a few words: its name, or its tools and patterns. Of whatever another program has stored, too. */
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

/** What a rule decides; one that says nothing that is known asks. */
export function decisionOf(rule: unknown): Rule['decision'] {
  const decision = isObject(rule) ? rule['decision'] : undefined;
  return decision === 'deny' || decision === 'allow' ? decision : 'ask';
}

/** Which rule decides over a call, in a sentence. */
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

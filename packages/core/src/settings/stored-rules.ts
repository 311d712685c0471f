import { canonicalJson, isObject, toJson } from '../base/json.ts';
import type { Rule } from '../rules/rule.ts';
import type { StoredRule } from './sealed.ts';
import type { Settings } from './settings.ts';

/** The id of an entry. One that a newer version or another program has stored may have none: its own text is its id then. */
export function ruleIdOf(entry: unknown): string {
  if (isObject(entry) && typeof entry['id'] === 'string') return entry['id'];
  return canonicalJson(toJson(entry));
}

/** The rule of an entry, which may be anything. */
export function ruleOf(entry: unknown): Rule {
  return (isObject(entry) ? entry['rule'] : undefined) as Rule;
}

/** Settings with a rule: in the place of the one that has its id, else at the end. */
export function withRule(settings: Settings, stored: StoredRule): Settings {
  const { rules = [] } = settings;
  const at = rules.findIndex((each) => ruleIdOf(each) === stored.id);
  return { ...settings, rules: at === -1 ? [...rules, stored] : rules.with(at, stored) };
}

/** Settings without a rule. The same object if there is none of that id. */
export function withoutRule(settings: Settings, id: string): Settings {
  const { rules = [], ...rest } = settings;
  const left = rules.filter((each) => ruleIdOf(each) !== id);
  if (left.length === rules.length) return settings;
  return left.length === 0 ? rest : { ...rest, rules: left };
}

/**
 * The rules of both, those of the first first. Of an id that both have, the second's counts too unless it allows: whoever edits a
 * rule of the project in a thread may narrow it there, and not loosen it.
 */
export function mergedRules(first: readonly StoredRule[], second: readonly StoredRule[]): readonly StoredRule[] {
  const known = new Map(first.map((each) => [ruleIdOf(each), canonicalJson(toJson(ruleOf(each) ?? null))]));
  const isOwn = (each: StoredRule): boolean => {
    const before = known.get(ruleIdOf(each));
    if (before === undefined) return true;
    const rule: unknown = ruleOf(each);
    const isAllow = isObject(rule) && rule['decision'] === 'allow';
    return !isAllow && canonicalJson(toJson(rule ?? null)) !== before;
  };
  return [...first, ...second.filter(isOwn)];
}

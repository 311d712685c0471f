import { canonicalJson, isObject, toJson } from '../base/json.ts';
import type { Rule } from '../rules/rule.ts';
import type { StoredRule } from './sealed.ts';
import type { Settings } from './settings.ts';

/** Id of an entry. One stored by a newer version or another program may lack an id; its own text then serves as one. */
export function ruleIdOf(entry: unknown): string {
  if (isObject(entry) && typeof entry['id'] === 'string') return entry['id'];
  return canonicalJson(toJson(entry));
}

/** The rule of an entry, which may be any value. */
export function ruleOf(entry: unknown): Rule {
  return (isObject(entry) ? entry['rule'] : undefined) as Rule;
}

/** Settings with a rule: it replaces the one with its id, or is appended. */
export function withRule(settings: Settings, stored: StoredRule): Settings {
  const { rules = [] } = settings;
  const at = rules.findIndex((each) => ruleIdOf(each) === stored.id);
  return { ...settings, rules: at === -1 ? [...rules, stored] : rules.with(at, stored) };
}

/** Settings without a rule. The same object if no rule has that id. */
export function withoutRule(settings: Settings, id: string): Settings {
  const { rules = [], ...rest } = settings;
  const left = rules.filter((each) => ruleIdOf(each) !== id);
  if (left.length === rules.length) return settings;
  return left.length === 0 ? rest : { ...rest, rules: left };
}

/**
 * Merges rules, first list first. If both have a rule with the same id, the second's counts in addition, unless it
 * allows: a thread that edits a project's rule may tighten it, but not loosen it.
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

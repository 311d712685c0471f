import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { checkMembers, checkTexts, invalid } from './check-members.ts';
import { commandMatcher } from './command-matcher.ts';
import { hostMatcher } from './host-matcher.ts';
import { inputValues } from './input-values.ts';
import { allOf, anyOf, listOf, toMatch } from './matcher.ts';
import type { Match, Matcher, Strictness, Test } from './matcher.ts';
import { pathMatcher } from './path-matcher.ts';
import type { RuleCondition } from './rule.ts';
import { textPattern } from './text-pattern.ts';

/** Matchers of a condition, by the member that holds their patterns. */
const matchers = {
  path: (patterns, strictness) => eachOf(patterns, (pattern) => pathMatcher(pattern, strictness)),
  host: (patterns, strictness) => eachOf(patterns, (pattern) => hostMatcher(pattern, strictness)),
  command: commandMatcher,
  text: (patterns) => eachOf(patterns, (pattern) => toMatcher(textPattern(pattern))),
} satisfies Record<string, (patterns: readonly string[], strictness: Strictness) => Matcher>;

type Kind = keyof typeof matchers;

/** Compiles a condition. */
export function conditionTest(condition: RuleCondition, strictness: Strictness): Test {
  const [kind] = kindsOf(condition) as [Kind];
  const match = matchers[kind](listOf(condition[kind] ?? []), strictness);
  const fields = listOf(condition.field);
  const combine = strictness.isStrict ? allOf : anyOf;
  return (subject) => {
    const values = fields.flatMap((field) => inputValues(subject.input, field));
    if (values.length === 0) return 'no';
    return combine(values.map((value) => matchValue(value, kind, (text) => match(text, subject))));
  };
}

function matchValue(value: Json, kind: Kind, match: (text: string) => Match): Match {
  if (typeof value === 'string') return match(value);
  return kind === 'text' && !isObject(value) ? match(String(value)) : 'unknown';
}

/** Throws `invalid_input` for a malformed condition. */
export function checkCondition(condition: RuleCondition): void {
  checkMembers(condition, ['field', ...Object.keys(matchers)]);
  checkTexts(condition.field, 'field');
  const kinds = kindsOf(condition);
  if (kinds.length !== 1) throw invalid('a condition has exactly one of `path`, `host`, `command` and `text`');
  for (const kind of kinds) checkTexts(condition[kind], kind);
}

function kindsOf(condition: RuleCondition): readonly Kind[] {
  return (Object.keys(matchers) as Kind[]).filter((kind) => condition[kind] !== undefined);
}

function eachOf(patterns: readonly string[], compile: (pattern: string) => Matcher): Matcher {
  const compiled = patterns.map(compile);
  return (value, subject) => anyOf(compiled.map((match) => match(value, subject)));
}

function toMatcher(fits: (text: string) => boolean): Matcher {
  return (value) => toMatch(fits(value));
}
